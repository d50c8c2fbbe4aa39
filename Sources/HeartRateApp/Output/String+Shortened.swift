extension String {
    /// The text, or its beginning where it is longer than a line can bear.
    ///
    /// - Parameter limit: in characters
    func shortened(to limit: Int) -> String { count > limit ? prefix(limit) + "…" : self }
}
