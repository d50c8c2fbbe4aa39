/// The program's version, as `--version` tells it.
let programVersion = "0.1.0"
