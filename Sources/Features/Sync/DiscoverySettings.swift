// SPDX-License-Identifier: Apache-2.0
import Shapes
import Venue

/// Finding televisions on the link, and being found there (SSDP and DIAL).
struct DiscoverySettings: Record {
    var searches = false
    var isAnnounced = false
    var interface = ""
    var port: UInt16 = 0
    var name = ""

    static let shape = Shape<Self>([
        .setting(
            "searches", \.searches, .boolean, .atOnce,
            """
            Whether televisions are searched for. If the settings name none, one that is found is followed: the first by \
            its name, or the next whose content is among the `media` with `isRequired`.
            """),
        .setting(
            "isAnnounced", \.isAnnounced, .boolean, .atOnce,
            """
            Whether a box that serves its timeline can be found like a television, at the first of `serve.addresses`. \
            Nothing can be launched on it.
            """),
        .setting("interface", \.interface, .text(0...15), .atOnce, "The only one that is used, such as eth0."),
        .setting(
            "port", \.port, .integer(0...65_535), .atOnce,
            "TCP port at which the box describes itself; 0 takes a free one."),
        .setting(
            "name", \.name, .text(0...64), .atOnce,
            "As people see the box; empty: Touchline and the beginning of its id."),
    ])

    func problems(serving: SyncServices) -> [Problem] {
        var problems: [Problem] = []
        if searches || isAnnounced, interface.isEmpty {
            problems.append(
                Problem(
                    path: "/discovery/interface", value: "",
                    expectation: "the name of an interface, as televisions are searched for or the box is announced"))
        }
        if isAnnounced, !serving.isEnabled {
            problems.append(
                Problem(
                    path: "/discovery/isAnnounced", value: true,
                    expectation: "false, as serve.isEnabled is false: nothing could be followed"))
        }
        if isAnnounced, serving.addresses.first?.isIPv6 == true {
            problems.append(
                Problem(
                    path: "/discovery/isAnnounced", value: true,
                    expectation: "false, as the first of serve.addresses is not IPv4, by which discovery goes"))
        }
        return problems
    }
}
