import Wire

extension Scenario {
    /// A strap with one fault; all the rest is plain, and it never asks for other connection parameters.
    static func hostile(
        _ name: String, _ summary: String, _ misconduct: Misconduct = Misconduct(),
        _ adjust: (inout StrapPlan) -> Void = { _ in }
    ) -> Scenario {
        Scenario(
            name: name, summary: summary,
            straps: [
                .simulated(1) {
                    $0.parameterWish = nil
                    $0.misconduct = misconduct
                    adjust(&$0)
                }
            ])
    }
}
