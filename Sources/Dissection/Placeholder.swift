// Dissection
