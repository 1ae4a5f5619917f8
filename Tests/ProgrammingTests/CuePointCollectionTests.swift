// SPDX-License-Identifier: Apache-2.0
import Programming
import Testing
import Time

struct CuePointCollectionTests {
    private let collection = CuePointCollection(
        [7, 3, 5, 3].enumerated().map { CuePoint(at: .seconds($1), kind: "\($0)") })

    private func kinds(_ previous: Int64, _ current: Int64) -> [String] {
        collection.points(after: .seconds(previous), through: .seconds(current)).points.map(\.kind)
    }

    @Test func keepsThemInOrder() {
        #expect(collection.points.map(\.kind) == ["1", "3", "2", "0"])
    }

    /// PLAY-17: previous < t <= current.
    @Test func takesThosePassed() {
        #expect(kinds(0, 2) == [])
        #expect(kinds(0, 3) == ["1", "3"])
        #expect(kinds(3, 5) == ["2"])
        #expect(kinds(5, 5) == [])
        #expect(kinds(-1, 100) == ["1", "3", "2", "0"])
        #expect(kinds(7, 0) == [])
    }

    @Test func isBounded() {
        let many = CuePointCollection((0..<2_000).map { CuePoint(at: .seconds($0), kind: "") })
        #expect(many.points.count == CuePointCollection.limit)
        var full = many
        let refused = full.add(CuePoint(at: .zero, kind: ""))
        full.removeAll { $0.position == .zero }
        let taken = full.add(CuePoint(at: .zero, kind: ""))
        #expect(!refused && taken)
    }
}
