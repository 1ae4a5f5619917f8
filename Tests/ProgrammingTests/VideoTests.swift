// SPDX-License-Identifier: Apache-2.0
import JSON
import Programming
import Testing
import Time

struct VideoTests {
    private let video = Video("Highlights", sources: [Source(.file, "/media/highlights.mp4")])

    /// PLAY-26, 27: a changed copy; the original unchanged.
    @Test func updatingLeavesTheOriginal() {
        let changed = video.updating { $0.properties["foo"] = "quux" }
        #expect(changed.properties["foo"] == "quux")
        #expect(video.properties.isEmpty)
        #expect(changed != video)
        #expect(changed.updating { $0.properties["foo"] = nil } == video)
        let source = video.sources[0].updating { $0.location = "/media/other.mp4" }
        #expect(video.sources[0].location == "/media/highlights.mp4" && source.delivery == .file)
        let list = Playlist("Evening", [video])
        #expect(list.updating { $0.videos.append(changed) }.videos.count == 2 && list.videos.count == 1)
    }

    /// PLAY-25.
    @Test func equalityIsByValue() {
        let same = Video("Highlights", sources: [Source(.file, "/media/highlights.mp4")])
        #expect(video == same && video.hashValue == same.hashValue)
        #expect(Playlist("A", [video]) == Playlist("A", [same]))
    }

    /// PLAY-24, 25: each of them is a value; whatever differs makes another one, and what is the same is one element.
    @Test func everythingCounts() {
        let point = CuePoint(at: .seconds(3), kind: "ad", properties: ["id": 7])
        let whole = video.updating {
            $0.cuePoints = CuePointCollection([point])
            $0.properties = ["foo": ["bar": [1, .null]]]
        }
        let others: [Video] = [
            whole.updating { $0.name = "Lowlights" }, whole.updating { $0.sources = [] },
            whole.updating { $0.sources[0].delivery = .mp4 },
            whole.updating { $0.sources[0].properties["kbps"] = 800 },
            whole.updating { $0.cuePoints = CuePointCollection([point.updating { $0.kind = "overlay" }]) },
            whole.updating { $0.cuePoints = CuePointCollection([point.updating { $0.properties["id"] = 8 }]) },
            whole.updating { $0.properties["foo"] = nil }, whole.updating { $0.namesSource.toggle() },
        ]
        #expect(Set(others).count == others.count && !others.contains(whole))
        let again = others[0].updating { $0.name = "Highlights" }
        #expect(again == whole && Set([again, whole]).count == 1)
        let list = Playlist("A", [whole], properties: ["sponsor": "Club"])
        #expect(list != list.updating { $0.properties = [:] } && list != list.updating { $0.videos += [whole] })
        #expect(list == Playlist("A", [again], properties: ["sponsor": "Club"]))
    }

    /// PLAY-26, 27: what the block keeps is a copy. The mutable one is gone when it returns: an escaping closure that
    /// captures it does not compile.
    @Test func whatABlockKeepsChangesNothing() {
        var kept: Video?
        let changed = video.updating { copy in
            copy.properties["foo"] = "quux"
            kept = copy
            copy.name = "Later"
        }
        kept?.name = "Kept"
        kept?.properties["foo"] = "other"
        #expect(changed.name == "Later" && changed.properties["foo"] == "quux" && video.name == "Highlights")
        let points = CuePointCollection([CuePoint(at: .seconds(1), kind: "a")])
        let more = points.updating { $0.add(CuePoint(at: .zero, kind: "b")) }
        #expect(more.points.map(\.kind) == ["b", "a"] && points.points.map(\.kind) == ["a"])
    }

    /// PLAY-22: the words of the reference, and those of a venue.
    @Test func deliveries() {
        #expect(Source.Delivery.allCases.map(\.rawValue) == ["HLS", "MP4", "MULTICAST", "FILE", "RTP"])
    }
}
