// SPDX-License-Identifier: Apache-2.0
import Programming
import Testing

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
}
