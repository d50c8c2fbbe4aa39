import Glibc

/// Standard input, output and error, whatever the parent has left of them.
enum StandardDescriptors {
    /// Fills those that are closed with something that neither gives nor takes anything. Call first of all: otherwise the next file,
    /// socket or pipe that is opened gets the free number, and what is meant for people is written there, be it a controller.
    ///
    /// A closed standard output is then found out by the first write, as it is without this.
    static func fill() {
        for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) < 0 {
            // The lowest free number is taken, which is this one. Opened the wrong way round, so that using it fails.
            unsafe _ = open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }
}
