extension Fielded {
    /// A packet of zeros with the fields that `fill` sets: `LESetScanEnable { $0.isEnabled = true }`.
    public init(_ fill: (inout Self) -> Void) {
        self.init()
        fill(&self)
    }
}
