import Wire

/// Something that happens at a moment.
protocol Timed {
    var due: Moment { get }
}

extension Array where Element: Timed {
    /// Puts something in its place among others that stand in the order of their moments; at the same moment, behind them.
    mutating func schedule(_ element: Element) {
        insert(element, at: firstIndex { $0.due > element.due } ?? endIndex)
    }
}
