// SPDX-License-Identifier: Apache-2.0
import JSON
import Testing
import Time

@testable import Reporting

@Suite struct ReportSectionsTests {
    @Test func eachIsAskedOnceForEachReport() {
        let sections = ReportSections()
        var asked: [Nanoseconds] = []
        sections.add("wifi") { covers in
            asked.append(covers)
            return [["interface": "wlan0"]]
        }
        sections.add("accessPoints") { _ in nil }
        #expect(sections.members(covering: .seconds(10)) == ["wifi": [["interface": "wlan0"]]])
        #expect(asked == [.seconds(10)])
        sections.remove("wifi")
        #expect(sections.members(covering: .seconds(10)) == [:] && asked.count == 1)
        sections.add("wifi") { _ in [] }
        #expect(sections.members(covering: .zero) == ["wifi": []])
    }
}
