import ATT
import Wire

// Straps that do not let themselves be subscribed to.
extension Scenario {
    static let refusals: [Scenario] =
        [
            ("03", ErrorCode.writeNotPermitted, "Write Not Permitted"),
            ("08", .insufficientAuthorization, "Insufficient Authorization"),
            ("0f", .insufficientEncryption, "Insufficient Encryption"),
            ("80", ErrorCode(0x80), "an error of its own"),
            ("fd", .clientConfigurationImproper, "Configuration Improper"),
        ].map { suffix, code, name in
            hostile("refusing-\(suffix)", "refuses notifications: \(name) (\(code.hexadecimal))") {
                $0.refusesSubscription = code
            }
        } + [
            hostile("no-configuration", "lacks the descriptor that switches notifications on (2902)") {
                $0.layout = .withoutConfiguration
            },
            hostile("read-only", "has a measurement that can be read and nothing else") { $0.layout = .readOnly },
            hostile("no-measurement", "has a heart-rate service without a measurement (2A37)") {
                $0.layout = .withoutMeasurement
            },
            hostile(
                "refuses-everything", "refuses every request: Insufficient Authentication (0x05)",
                .on(.anyRequest, .refusal(.insufficientAuthentication))),
        ]
}
