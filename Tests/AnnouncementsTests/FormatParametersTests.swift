// SPDX-License-Identifier: Apache-2.0
import Announcements
import Testing

struct FormatParametersTests {
    @Test func readsPairs() {
        let parameters = FormatParameters(" A=1 ;b = x=y==; flag;;a=2;\tC=;=7")
        #expect(parameters["a"] == "1" && parameters["B"] == "x=y==" && parameters["flag"] == "")
        #expect(parameters["c"] == "" && parameters[""] == nil && parameters["d"] == nil)
        #expect(parameters.integer("a") == 1 && parameters.integer("b") == nil)
        #expect(FormatParameters().isEmpty && FormatParameters(" ; ").isEmpty)
    }

    @Test(
        arguments: [
            ("1190", [0x11, 0x90]), ("aB", [0xab]), ("", []), ("1", nil), ("1x", nil), ("é1", nil),
        ] as [(String, [UInt8]?)])
    func hexadecimal(text: String, octets: [UInt8]?) {
        #expect(FormatParameters("config=\(text)").hexadecimal("config") == octets)
    }

    @Test(
        arguments: [
            ("AQID", [[1, 2, 3]]), ("AQ==,AQI=", [[1], [1, 2]]), ("AQ,,AQI", [[1], [1, 2]]), ("", []),
            ("A", nil), ("AQ=I", nil), ("AQ-_", nil), ("AQID,é", nil),
        ] as [(String, [[UInt8]]?)])
    func base64(text: String, octets: [[UInt8]]?) {
        #expect(FormatParameters("sets=\(text)").base64List("sets") == octets)
    }

    @Test func isBounded() {
        let many = FormatParameters((0..<100).map { "p\($0)=\($0)" }.joined(separator: ";"))
        #expect(many.integer("p63") == 63 && many["p64"] == nil)
    }
}
