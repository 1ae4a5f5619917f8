// SPDX-License-Identifier: Apache-2.0
import JSON
import Synchronization
import Testing

@testable import Box

/// A box that has ended leaves nothing in memory, and therefore no descriptor either.
struct BoxMemoryTests {
    @Test func nothingOutlivesTheBox() throws {
        let held = Mutex<[Held]>([])
        let settings: JSONValue = [
            "network": ["interface": "lo"], "output": ["kind": "null"], "sound": ["kind": "null"],
            "announcements": ["groups": [["address": "239.255.77.1", "port": 21_900]]],
            "channels": [["name": "One", "address": "239.255.77.1", "port": 21_901, "encapsulation": "raw"]],
            "playback": ["autoTune": "One"],
        ]
        let box = try RunningBox(settings, made: { box in held.withLock { $0 = Self.objects(of: box) } })
        // The box begins when all its objects have been looked at, which takes a processor 10 s of its own.
        _ = try box.await("stats", within: .seconds(120)) { $0["stats"]?["session"] != nil }
        #expect(box.end() == .ok)
        let (count, left) = held.withLock { held in (held.count, held.filter { $0.object != nil }.map(\.path)) }
        #expect(count > 50)
        #expect(left.isEmpty, "\(left.joined(separator: ", "))")
    }

    /// An object, held weakly, and how it was found.
    private struct Held: @unchecked Sendable {
        let path: String
        weak var object: AnyObject?
    }

    /// The objects that one reaches from the box by stored properties.
    private static func objects(of box: Box) -> [Held] {
        var found: [Held] = []
        var seen: Set<ObjectIdentifier> = []
        func look(_ value: Any, _ path: String) {
            if value is String || value is any BinaryInteger || value is [UInt8] { return }
            let mirror = Mirror(reflecting: value)
            if mirror.displayStyle == .class {
                let object = value as AnyObject
                guard seen.insert(ObjectIdentifier(object)).inserted else { return }
                found.append(Held(path: "\(path): \(type(of: object))", object: object))
            }
            // Long arrays have texts and numbers, of which a box has hundreds of thousands, and a look takes 10 µs.
            for child in mirror.children.prefix(100) { look(child.value, "\(path).\(child.label ?? "?")") }
        }
        look(box, "box")
        return found
    }
}
