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
    public static let all: [Scenario] =
        [strap, straps, dropping, noContact, wide, crowd, flood] + quirks + controllers
}
