// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import Markup

@Suite struct MarkupElementTests {
    private static func read(_ text: String) throws(MarkupError) -> MarkupElement {
        try MarkupElement(parsing: Array(text.utf8))
    }

    @Test func elementsHaveNamespacesTextAndChildren() throws {
        let root = try Self.read(
            """
            <?xml version="1.0"?>
            <!-- said once -->
            <a:root xmlns:a="urn:a" xmlns="urn:c">
              <child x="1"> one &amp; &#233;<b/>two </child><child>other</child>
            </a:root>
            """)
        #expect(root.name == "root")
        let child = root.child("child", namespace: "urn:c")
        #expect(child?.text == "one & étwo")
        #expect(child?.children == [MarkupElement("b", namespace: "urn:c")])
        #expect(root.children.count == 2 && root.text.isEmpty)
        #expect(root.child("child", namespace: "") == nil)
        #expect(try Self.read("<a/>") == MarkupElement("a"))
        #expect(try Self.read("<a><![CDATA[<b>]]></a>").text == "<b>")
    }

    @Test(
        arguments: [
            "", " ", "<", "<a>", "<a></b>", "<a/><b/>", "text", "<a>&nbsp;</a>", "<a b='1' b='2'/>", "<x:a/>",
            "<a>\u{0}</a>", "<?xml version='1.0' encoding='x-none'?><a/>",
            "<a xmlns='urn:a b'/>",  // else a name could be taken for another namespace's
        ])
    func whatIsMalformedIsRefused(text: String) {
        guard case .malformed = thrown(MarkupError.self, by: { try Self.read(text) }) else {
            Issue.record("\(text) was read")
            return
        }
    }

    /// A few hundred octets that would become gigabytes.
    @Test func documentTypesAreRefused() {
        let growing = """
            <!DOCTYPE a [<!ENTITY b "bbbbbbbb"><!ENTITY c "&b;&b;&b;&b;&b;&b;">]><a>&c;</a>
            """
        for text in [growing, "<!DOCTYPE a SYSTEM 'file:///etc/passwd'><a/>"] {
            #expect(thrown(MarkupError.self) { try Self.read(text) } == .documentType)
        }
    }

    @Test func sizesAreLimited() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
        }
        #expect(try Self.read(nested(32)).children.count == 1)
        #expect(thrown(MarkupError.self) { try Self.read(nested(33)) } == .tooDeep(limit: 32))
        func wide(_ count: Int) -> String { "<a>\(String(repeating: "<b/>", count: count))</a>" }
        #expect(try Self.read(wide(1_023)).children.count == 1_023)
        #expect(thrown(MarkupError.self) { try Self.read(wide(1_024)) } == .tooManyElements(limit: 1_024))
        let long = "<a>\(String(repeating: "x", count: 65_536))</a>"
        #expect(thrown(MarkupError.self) { try Self.read(long) } == .tooLong(limit: 65_536))
    }

    @Test(arguments: Effort.seeds(500)) func damagedDocumentsNeverTrap(seed: UInt64) {
        var random = SplitMix64(seed: seed &+ Effort.seed)
        var octets = Array("<r xmlns='urn:a'><b>x &lt; y</b><c d='e'><![CDATA[f]]></c><!-- g --></r>".utf8)
        for _ in 0...random.next() % 4 {
            let place = Int(random.next() % UInt64(octets.count))
            octets[place] = UInt8(truncatingIfNeeded: random.next())
        }
        // Refused or read, either is an answer.
        _ = try? MarkupElement(parsing: octets)
    }
}
