/// The command line is wrong. The message names what is, and what would be right.
struct UsageError: Error, Hashable {
    var message: String
    /// The command whose help says more; `nil` before the command is known.
    var command: String?

    init(_ message: String, command: String? = nil) {
        self.message = message
        self.command = command
    }
}

extension Sequence<String> {
    /// The text nearest to `word`: one that begins with it, else the one with the fewest letters to change.
    func nearest(to word: String) -> String? {
        self.min { cost(of: $0, for: word) < cost(of: $1, for: word) }
    }

    private func cost(of candidate: String, for word: String) -> Int {
        !word.isEmpty && candidate.hasPrefix(word) ? 0 : editDistance(word, candidate)
    }
}

/// How many characters must be put in, left out, exchanged or swapped with their neighbour to make one text of the other.
func editDistance(_ left: String, _ right: String) -> Int {
    // Nobody means an option with an argument of hundreds of characters; the bound keeps the table small.
    let left = Array(left.prefix(64))
    let right = Array(right.prefix(64))
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for (row, character) in left.enumerated() {
        var next = [row + 1]
        for (column, other) in right.enumerated() {
            var cost = Swift.min(last[column] + (character == other ? 0 : 1), last[column + 1] + 1, next[column] + 1)
            if row > 0, column > 0, character == right[column - 1], left[row - 1] == other {
                cost = Swift.min(cost, beforeLast[column - 1] + 1)
            }
            next.append(cost)
        }
        (beforeLast, last) = (last, next)
    }
    return last[right.count]
}
