// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON

/// A line-up of 200 channels as our answers and announcements look.
let jsonBenchmarks: [Benchmark] = {
    let channels = (1...200).map { number in
        """
        {"id":"\(number)","name":"Kanal \(number) \\u00e4\\n","text":"The pitch from above, without comment",
         "address":"239.1.\(number).1","port":\(5_000 + number),"bandwidthKbps":8000.5,"isEncrypted":false,
         "repair":null,"payloadTypes":[33,96,97,98]}
        """
    }
    let text = "{\"version\":1,\"channels\":[\(channels.joined(separator: ","))]}"
    let octets = Array(text.utf8)
    let data = Data(octets)
    let parse = Benchmark(
        name: "json-parse", operation: "document of \(octets.count) octets", octets: octets.count,
        peer: .init(name: "JSONSerialization") { count in
            (0..<count).reduce(0) { result, _ in
                guard let value = try? JSONSerialization.jsonObject(with: data) else { fatalError("valid JSON") }
                return result &+ (value is [String: Any] ? 1 : 0)
            }
        },
        run: { count in
            (0..<count).reduce(0) { result, _ in
                guard case .object? = try? JSONValue.parse(octets) else { fatalError("valid JSON") }
                return result &+ 1
            }
        })
    guard let value = try? JSONValue.parse(octets) else { fatalError("valid JSON") }
    let write = Benchmark(
        name: "json-write", operation: "document of \(octets.count) octets", octets: octets.count
    ) { count in (0..<count).reduce(0) { result, _ in result &+ UInt64(value.octets().count) } }
    return [parse, write]
}()
