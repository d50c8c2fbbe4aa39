import Foundation

/// A program that could not be started, or did not end well.
enum ProgramError: Error {
    case cannotStart(String)
    case ended(Int32)
}

/// Runs a program that reads this one's standard input, its output thrown away.
///
/// - Returns: the most memory that it had at a time, in KiB
func peakMemory(of command: [String]) throws -> Int {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
    var arguments = command.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var child: pid_t = 0
    guard posix_spawnp(&child, command[0], &actions, nil, &arguments, environ) == 0 else {
        throw ProgramError.cannotStart(command[0])
    }
    var status: Int32 = 0
    var usage = rusage()
    guard wait4(child, &status, 0, &usage) == child, status == 0 else { throw ProgramError.ended(status) }
    return usage.ru_maxrss
}
