// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import System

struct HotplugTests {
    private static func hotplug(_ text: String) throws -> Hotplug? {
        Hotplug(try UeventTests.event(UeventTests.octets(text)))
    }

    @Test func screens() throws {
        #expect(
            Hotplug(try UeventTests.event(UeventTests.screen))
                == .screen(card: "dri/card0", connector: 101, property: nil))
        let head = "change@/devices/vkms/drm/card1|SUBSYSTEM=drm|DEVNAME=dri/card1|"
        #expect(try Self.hotplug(head + "HOTPLUG=1|") == .screen(card: "dri/card1", connector: nil, property: nil))
        #expect(
            try Self.hotplug(head + "HOTPLUG=1|CONNECTOR=31|PROPERTY=5|")
                == .screen(card: "dri/card1", connector: 31, property: 5))
        // Numbers that are none.
        for number in ["", "0", "-1", "4294967296", "x"] {
            #expect(
                try Self.hotplug(head + "HOTPLUG=1|CONNECTOR=\(number)|")
                    == .screen(card: "dri/card1", connector: nil, property: nil))
        }
        #expect(try Self.hotplug(head + "HOTPLUG=0|") == nil)
        #expect(try Self.hotplug(head + "LEASE=1|") == nil)
    }

    @Test func cards() throws {
        let tail = "@/devices/x/drm/card1|SUBSYSTEM=drm|DEVNAME=dri/card1|"
        #expect(try Self.hotplug("add" + tail) == .graphicsCard("dri/card1", isThere: true))
        #expect(try Self.hotplug("remove" + tail) == .graphicsCard("dri/card1", isThere: false))
        #expect(try Self.hotplug("bind" + tail) == nil)
        #expect(try Self.hotplug("add@/devices/x/drm/card1/card1-HDMI-A-1|SUBSYSTEM=drm|") == nil)
        #expect(try Self.hotplug("add@/devices/x/drm/renderD128|SUBSYSTEM=drm|DEVNAME=dri/renderD128|") == nil)
    }

    @Test func sound() throws {
        #expect(Hotplug(try UeventTests.event(UeventTests.card)) == .soundCard(0, isThere: true))
        #expect(
            try Self.hotplug("remove@/devices/y/sound/card12/controlC12|SUBSYSTEM=sound|")
                == .soundCard(12, isThere: false))
        for path in ["card0", "card0/pcmC0D3p", "card0/controlC", "card0/controlC-1", "card0/controlC9999"] {
            #expect(try Self.hotplug("add@/devices/y/sound/\(path)|SUBSYSTEM=sound|") == nil)
        }
        #expect(try Self.hotplug("change@/devices/y/sound/card0/controlC0|SUBSYSTEM=sound|") == nil)
        #expect(try Self.hotplug("add@/devices/y/sound/card0/controlC0|SUBSYSTEM=input|") == nil)
        #expect(try Self.hotplug("add@/devices/y/sound/card0/controlC0|") == nil)
    }
}
