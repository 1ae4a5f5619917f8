// SPDX-License-Identifier: Apache-2.0
import Recording
import Time
import Venue

extension Corpus {
    /// What `fuzzRecording` reads: a bundle, one that is cut, the file of a ring, and the description of a flow.
    var recordings: [[UInt8]] {
        let transport = Transport(address: "239.0.0.1", port: 5_004, encapsulation: .rtp(payloadType: 33))
        let flow = FlowDescription(
            "Arena", transport, bandwidthKbps: 0, program: "#3", counters: ["datagrams"], keepsPayload: false)
        let description = flow?.json.octets() ?? []
        let octets = OctetRing.octets(for: 4_096)
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: octets, alignment: 64)
        memory.initializeMemory(as: UInt8.self, repeating: 0)
        defer { memory.deallocate() }
        let ring = OctetRing(in: memory, of: nil, description: description)
        let tap = PacketRing(ring, keepsPayload: false, isProtected: false)
        for number in 0..<40 {
            let datagram = [0x80, 33, 0, UInt8(number)] + [UInt8](repeating: 0x47, count: 200)
            datagram.withUnsafeBytes {
                tap.take(.datagram, $0, part: 0, at: Monotonic(nanoseconds: Int64(number)))
            }
        }
        var plan = BundlePlan(head: Array(#"{"kind":"command"}"#.utf8), settings: Array("{}".utf8))
        plan.flows = [.init(description: description, packets: ring.image())]
        let file = plan.octets(atMost: 1 << 16) ?? []
        return [file, Array(file.dropLast(30)), Array(memory), description]
    }
}
