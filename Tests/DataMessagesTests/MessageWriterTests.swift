// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import Time

@testable import DataMessages

@Suite struct MessageWriterTests {
    @Test(arguments: [1, 100, 1_170, 1_180, 1_181, 65_535, 65_536])
    func comesWholeInPayloadsThatFit(octets: Int) throws {
        var writer = MessageWriter(payloadOctets: 1_200)
        var assembler = MessageAssembler()
        let message = Message.make(octets, seed: UInt64(octets))
        let payloads = try writer.payloads(of: message, contentType: "a/b")
        #expect(payloads.allSatisfy { $0.count <= 1_200 })
        #expect(payloads.dropLast().allSatisfy { $0.count == 1_200 })
        let whole = payloads.compactMap { assembler.received($0) }
        #expect(whole.map(\.octets) == [message] && whole.map(\.contentType) == ["a/b"])
        #expect(writer.nextSequence == 1)
    }

    @Test func refusesWhatCannotBeSent() {
        var writer = MessageWriter()
        #expect(thrown(MessageError.self) { try writer.payloads(of: []) } == .length(0))
        let long = [UInt8](repeating: 0, count: 65_537)
        #expect(thrown(MessageError.self) { try writer.payloads(of: long) } == .length(65_537))
        for type in [String(repeating: "a", count: 128), "täxt", "a\n"] {
            #expect(thrown(MessageError.self) { try writer.payloads(of: [1], contentType: type) } == .contentType(type))
        }
        #expect(writer.nextSequence == 0)
    }
}
