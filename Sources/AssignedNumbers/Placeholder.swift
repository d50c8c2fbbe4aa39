// AssignedNumbers
