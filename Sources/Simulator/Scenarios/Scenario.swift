/// A world to simulate: a controller and who is around it.
public struct Scenario: Hashable, Sendable {
    /// As in `--adapter sim:NAME`.
    public var name: String
    /// One line for people.
    public var summary: String
    /// The controller that the host is given.
    public var controller: ControllerPlan
    /// The straps on the air.
    public var straps: [StrapPlan]
    /// How many devices of other kinds are around.
    public var crowd: Int
    /// Further devices.
    public var others: [AdvertiserPlan]

    public init(
        name: String, summary: String, controller: ControllerPlan = ControllerPlan(), straps: [StrapPlan],
        crowd: Int = 0,
        others: [AdvertiserPlan] = []
    ) {
        self.name = name
        self.summary = summary
        self.controller = controller
        self.straps = straps
        self.crowd = crowd
        self.others = others
    }

    /// The scenario of that name.
    public static func named(_ name: String) -> Scenario? { all.first { $0.name == name } }

    /// The one that is meant where none is named.
    public static let byDefault = strap

    /// All there are, in the order in which help lists them.
    public static let all: [Scenario] = groups.flatMap(\.scenarios)

    /// Scenarios of one kind.
    public struct Group: Hashable, Sendable {
        /// What they have in common.
        public var title: String
        /// In the order in which help lists them.
        public var scenarios: [Scenario]
    }

    /// All there are, by what they try.
    public static let groups: [Group] = [
        Group(title: "Straps", scenarios: [strap, straps, twenty, dropping, noContact, wide, crowd, flood]),
        Group(title: "A strap that demands protection", scenarios: protected),
        Group(title: "A strap that remembers, forgets or hides", scenarios: bonded),
        Group(title: "A strap that is difficult", scenarios: quirks),
        Group(title: "A strap that is hard to find or to keep", scenarios: elusive),
        Group(title: "A strap that refuses", scenarios: refusals),
        Group(title: "A strap that goes away", scenarios: leaving),
        Group(title: "A strap that keeps silent", scenarios: silences),
        Group(title: "A strap that misleads who searches it", scenarios: misleading),
        Group(title: "A strap that answers wrongly", scenarios: wrongAnswers),
        Group(title: "A strap that talks out of turn", scenarios: talkative),
        Group(title: "A strap that pairs dishonestly, or clumsily", scenarios: dishonest),
        Group(title: "A strap whose attributes can change", scenarios: databases),
        Group(title: "A difficult controller, with a plain strap", scenarios: controllers),
    ]

    /// Those in which a peer breaks the rules, or is odd within them.
    public static let hostile: [Scenario] =
        elusive + refusals + leaving + silences + misleading + wrongAnswers + talkative + dishonest
}
