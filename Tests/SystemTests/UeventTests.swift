// SPDX-License-Identifier: Apache-2.0
import Bytes
import TestSupport
import Testing

@testable import System

/// As kernel 6.12 writes them, for i915 and an HDA controller; of the screen's with the names that
/// drm_sysfs_connector_hotplug_event and drm_sysfs_connector_property_event give.
struct UeventTests {
    static let screen = octets(
        """
        change@/devices/pci0000:00/0000:00:02.0/drm/card0|ACTION=change|DEVPATH=/devices/pci0000:00/0000:00:02.0/drm/card0\
        |SUBSYSTEM=drm|HOTPLUG=1|CONNECTOR=101|DEVNAME=dri/card0|DEVTYPE=drm_minor|SEQNUM=3821|MAJOR=226|MINOR=0|
        """)
    static let card = octets(
        """
        add@/devices/pci0000:00/0000:00:1f.3/sound/card0/controlC0|ACTION=add\
        |DEVPATH=/devices/pci0000:00/0000:00:1f.3/sound/card0/controlC0|SUBSYSTEM=sound|MAJOR=116|MINOR=7\
        |DEVNAME=snd/controlC0|SEQNUM=2218|
        """)

    /// "|" for zero.
    static func octets(_ text: String) -> [UInt8] { text.utf8.map { $0 == UInt8(ascii: "|") ? 0 : $0 } }

    static func event(_ bytes: [UInt8]) throws(WireError) -> Uevent {
        try bytes.withOctets { bytes throws(WireError) in try Uevent(bytes) }
    }

    @Test func kernelMessages() throws {
        let event = try Self.event(Self.screen)
        #expect(event.action == .change && event.subsystem == "drm")
        #expect(event.path == "/devices/pci0000:00/0000:00:02.0/drm/card0")
        #expect(event.properties["CONNECTOR"] == "101" && event.properties.count == 10)
        #expect(try Self.event(Self.card).action == .add)
        for action in Uevent.Action.allCases {
            #expect(try Self.event(Self.octets("\(action.rawValue)@/|")).action == action)
        }
        // A value may be empty, or hold the sign; of two the first counts.
        let odd = try Self.event(Self.octets("add@/a@b|A=|B=c=d|B=e|"))
        #expect(odd.path == "/a@b" && odd.properties == ["A": "", "B": "c=d"] && odd.subsystem == nil)
    }

    @Test(arguments: [
        ("", 0), ("|", 0), ("add/devices|", 0), ("add@|", 0), ("add@devices|", 0), ("plug@/devices|", 0),
        ("@/devices|", 0),
        ("libudev||||", 0), ("libudev@/x|", 0), ("add@/d||", 7), ("add@/d|KEY|", 7), ("add@/d|=1|", 7),
        ("add@/d|A=1|B=1", 11),
    ])
    func refusals(text: String, offset: Int) {
        #expect(thrown(WireError.self) { try Self.event(Self.octets(text)) }?.offset == offset, "\(text)")
    }

    @Test func bounds() throws {
        let most = String(repeating: "A=|", count: Uevent.mostProperties)
        #expect(try Self.event(Self.octets("add@/|" + most)).properties == ["A": ""])
        #expect(thrown(WireError.self) { try Self.event(Self.octets("add@/|" + most + "B=|")) } != nil)
        let long = "add@/|A=" + String(repeating: "b", count: Uevent.mostOctets - 9) + "|"
        #expect(try Self.event(Self.octets(long)).properties.count == 1)
        #expect(thrown(WireError.self) { try Self.event(Self.octets("c" + long)) } != nil)
    }

    /// Cut anywhere it throws, but where a property ends.
    @Test func truncation() {
        for message in [Self.screen, Self.card] {
            for count in 0..<message.count {
                let error = thrown(WireError.self) { try Self.event(Array(message[..<count])) }
                let isEnd = count > 0 && message[count - 1] == 0
                #expect((error == nil) == isEnd, "\(count) octets")
                #expect((error?.offset ?? 0) <= count)
            }
        }
    }

    @Test func mutationsNeverTrap() {
        for seed in 0..<UInt64(Mutation.count()) {
            var mutation = Mutation(seed: seed)
            for message in [Self.screen, Self.card] {
                guard let event = try? Self.event(mutation.damage(message)) else { continue }  // refusing is an answer
                _ = Hotplug(event)
            }
        }
    }
}
