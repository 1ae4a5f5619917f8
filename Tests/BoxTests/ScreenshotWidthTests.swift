// SPDX-License-Identifier: Apache-2.0
import Bytes
import Codecs
import JSON
import Media
import Testing

@testable import Box

extension BoxTests {
    /// Screenshots of a whole box that are smaller than its stage, by the client and by HTTP (G-41).
    @Suite(.serialized) struct ScreenshotWidthTests {
        /// The decoded PNG of an answer, which has the size that the answer says, and the mean of its octets.
        private static func mean(of answer: JSONValue) throws -> Double {
            let canvas = try PNG.decode(try #require(answer["png"]?.string.flatMap { Base64.decode($0) }))
            #expect(answer["width"] == .integer(Int64(canvas.width)))
            #expect(answer["height"] == .integer(Int64(canvas.height)))
            var sum = 0
            for y in 0..<canvas.height {
                for x in 0..<canvas.width {
                    for octet in 0..<3 { sum += Int(canvas.bytes[y * canvas.stride + x * 4 + octet]) }
                }
            }
            return Double(sum) / Double(canvas.width * canvas.height * 3)
        }

        @Test func aScreenshotIsAsWideAsAsked() throws {
            let box = try RunningBox([
                "announcements": ["groups": []], "output": ["width": 320, "height": 180], "log": ["level": "error"],
            ])
            _ = try box.await("screenshot") { $0["width"] == 320 }
            let whole = try Self.mean(of: try box.answer("screenshot"))
            // A stage is not enlarged.
            let sizes: [(asked: Int64, width: Int64, height: Int64)] = [
                (16, 16, 9), (101, 101, 57), (160, 160, 90), (320, 320, 180), (16_384, 320, 180),
            ]
            for size in sizes {
                let answer = try box.answer("screenshot", "--width", "\(size.asked)")
                let fetched = try box.http(
                    "GET", "/v1/screenshot?width=\(size.asked)", fields: "Accept: application/json\r\n")
                let posted = try box.http("POST", "/v1/screenshot", ["as": "png", "width": .integer(size.asked)])
                #expect(fetched.code == 200 && posted.code == 200)
                for one in [answer, fetched.body, posted.body] {
                    #expect(one["width"] == .integer(size.width) && one["height"] == .integer(size.height))
                    let mean = try Self.mean(of: one)
                    #expect(abs(mean - whole) < 4, "\(size): a mean of \(mean) instead of \(whole)")
                }
                let picture = try box.http(
                    "GET", "/v1/screenshot?width=\(size.asked)", fields: "Accept: image/png\r\n")
                #expect(picture.code == 200 && picture.body == .null, "a picture is no JSON")
            }
            for asked in ["15", "16385"] {
                let reason = "width is \(asked); expected an integer, 16...16384"
                let refused = box.client("screenshot", "--width", asked)
                #expect(refused.code == 2 && refused.messages.joined().contains(reason), "\(refused.messages)")
                let (code, body) = try box.http("GET", "/v1/screenshot?width=\(asked)")
                #expect(code == 400 && body["errorString"]?.string?.contains(reason) == true, "\(body)")
            }
            // What is for a terminal has columns.
            let text = try box.answer("screenshot", "--as", "ascii", "--columns", "20", "--width", "16")
            #expect(text["text"]?.string?.split(separator: "\n").first?.count == 20)
            #expect(text["png"] == nil && text["width"] == 320)
            #expect(box.end() == .ok)
        }
    }
}
