/// One thing that was found out about a device that will not talk.
struct Finding: Hashable, Sendable {
    /// What was looked into, in the order in which it is.
    enum Step: String, Hashable, Sendable {
        case seen
        case connectable
        case advertisedService = "advertised_service"
        case connection
        case service
        case subscription
        case heartRate = "heart_rate"
        case link
        /// What all of it comes to.
        case verdict
    }

    enum Result: String, Hashable, Sendable {
        case ok
        case failed
        /// It could not be told, or may be well or not.
        case unknown
    }

    var step: Step
    var result: Result
    /// What is so.
    var detail: String
    /// What to try; `nil` where nothing needs to be.
    var advice: String?

    init(_ step: Step, _ result: Result, _ detail: String, advice: String? = nil) {
        self.step = step
        self.result = result
        self.detail = detail
        self.advice = advice
    }
}

extension Finding.Step {
    /// The step in people's words.
    var title: String {
        switch self {
        case .seen: "heard"
        case .connectable: "connectable"
        case .advertisedService: "heart-rate sensor"
        case .connection: "connection"
        case .service: "heart-rate service"
        case .subscription: "subscription"
        case .heartRate: "heart rate"
        case .link: "link"
        case .verdict: "verdict"
        }
    }
}

/// The finding at which a diagnosis ends, and the status that the program ends with.
struct Impasse: Error, Hashable {
    var finding: Finding
    var status: ExitStatus
    /// What it comes to, in a few words.
    var gist: String

    init(_ step: Finding.Step, _ status: ExitStatus, _ gist: String, _ detail: String, advice: String?) {
        finding = Finding(step, .failed, detail, advice: advice)
        self.status = status
        self.gist = gist
    }

    /// The last word.
    var verdict: Finding { Finding(.verdict, .failed, "\(gist): \(finding.detail)", advice: finding.advice) }
}
