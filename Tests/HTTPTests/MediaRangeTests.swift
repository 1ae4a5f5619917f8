// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import HTTP

struct MediaRangeTests {
    private func wantsPicture(_ accept: String?) -> Bool {
        MediaRange.prefers("image", "png", to: (type: "application", subtype: "json"), accept: accept)
    }

    @Test(arguments: [
        "image/png", "image/*", "Image/PNG;q=0.2", "image/png, */*", "application/json;q=0.5, image/png",
        "image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8", "image/png , application/json;q=0.999",
    ])
    func wantsThePicture(accept: String) { #expect(wantsPicture(accept)) }

    @Test(arguments: [
        "", "*/*", "application/json", "image/png;q=0", "image/png;q=0.5, application/json", "image", "png/image",
        "image/jpeg", "image/png;q=2", "image/png;q=0.0001", "image/ png", "image/png, application/json", "/", "*",
    ])
    func wantsTheOther(accept: String) { #expect(!wantsPicture(accept)) }

    @Test func absentFieldWantsTheOther() { #expect(!wantsPicture(nil)) }

    @Test func parametersAreNoPartOfTheType() throws {
        let type = try #require(MediaRange("Application/JSON ; charset=\"utf-8\""))
        #expect(type.type == "application" && type.subtype == "json")
        #expect(MediaRange("application/json/x") == nil)
        #expect(MediaRange("appl ication/json") == nil)
    }

    @Test func mutationNeverTraps() {
        var mutation = Mutation(seed: 11)
        let field = Array("image/png;q=0.5, application/json;charset=utf-8;q=1.0, */*".utf8)
        for _ in 0..<Mutation.count() {
            let text = String(decoding: mutation.damage(field), as: UTF8.self)
            _ = wantsPicture(text)
            _ = MediaRange(text)
        }
    }
}
