// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Codecs

/// Nobody is asked who is not there.
@Suite struct RenderNodeTests {
    @Test func thoseThatAreThere() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("dri-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }  // a folder of the system's own rubbish
        #expect(DecoderDevice.renderNodes(in: folder.path) == [])
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        #expect(DecoderDevice.renderNodes(in: folder.path) == [])
        for name in ["renderD130", "card0", "renderD128", "by-path", "renderD", "renderD12", "renderD191"] {
            #expect(FileManager.default.createFile(atPath: folder.path + "/" + name, contents: nil))
        }
        let found = ["renderD128", "renderD130", "renderD191"].map { folder.path + "/" + $0 }
        #expect(DecoderDevice.renderNodes(in: folder.path) == found)
    }
}
