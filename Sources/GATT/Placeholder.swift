// GATT
