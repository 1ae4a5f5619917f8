// SPDX-License-Identifier: Apache-2.0
import NetworkFiles
import NetworkPlan
import Time

/// What the helper has the programs of the system do. There is nothing else that it runs, and no word of a command comes
/// from the service but the name of an interface, of the characters that `InterfaceName` has.
public enum SystemAction: Hashable, Sendable {
    /// networkd reads its files again and changes the links that they concern.
    case reloadNetwork
    /// Removes a VLAN that networkd has made; it would stay.
    case remove(vlan: InterfaceName)
    case restart(Supplicant)
    case stop(Supplicant)
    /// The supplicant by a file that somebody has put on the disk, for a radio of which the settings name no network.
    case startOwn(InterfaceName)
    case stopOwn(InterfaceName)
    /// Which time server is asked.
    case askTime
    /// Whether the box has been let in.
    case ask(Supplicant)
    /// The supplicant has its radio listen which networks there are.
    case scan(Supplicant)

    /// The directory in which wpa_supplicant has a socket for each interface.
    static let controlDirectory = "/run/touchline-network/control"

    /// The program, and its arguments.
    public var words: (program: String, arguments: [String]) {
        switch self {
        case .reloadNetwork: ("/usr/bin/networkctl", ["reload"])
        case .remove(let vlan): ("/usr/bin/networkctl", ["delete", vlan.description])
        case .restart(let supplicant): ("/usr/bin/systemctl", ["restart", Self.unit(of: supplicant)])
        case .stop(let supplicant): ("/usr/bin/systemctl", ["stop", Self.unit(of: supplicant)])
        case .startOwn(let name): ("/usr/bin/systemctl", ["--no-block", "start", "wpa_supplicant@\(name).service"])
        case .stopOwn(let name): ("/usr/bin/systemctl", ["stop", "wpa_supplicant@\(name).service"])
        case .askTime:
            ("/usr/bin/timedatectl", ["show-timesync", "--property=ServerName", "--property=ServerAddress"])
        case .ask(let supplicant): Self.supplicantCommand("status", supplicant)
        case .scan(let supplicant): Self.supplicantCommand("scan", supplicant)
        }
    }

    private static func supplicantCommand(_ verb: String, _ supplicant: Supplicant) -> (String, [String]) {
        (
            "/usr/sbin/wpa_cli",
            [
                "-p", controlDirectory, "-s", "/run/touchline-network", "-i", supplicant.interface.description, verb,
            ]
        )
    }

    /// The command, for messages.
    var text: String { ([words.program] + words.arguments).joined(separator: " ") }

    /// Whether a change is not done without it.
    var isNeeded: Bool {
        switch self {
        case .reloadNetwork, .restart: true
        default: false
        }
    }

    var patience: Nanoseconds {
        switch self {
        case .askTime, .ask, .scan: .seconds(3)
        default: .seconds(15)
        }
    }

    private static func unit(of supplicant: Supplicant) -> String {
        switch supplicant.kind {
        case .wifi: "touchline-wifi@\(supplicant.interface).service"
        case .wired: "touchline-wired@\(supplicant.interface).service"
        }
    }
}
