// SPDX-License-Identifier: Apache-2.0
import Bytes

/// The name and description of an event in one language (ETSI EN 300 468 6.2.37, and the text of 6.2.15).
public struct EventText: Sendable, Equatable {
    /// ISO 639-2, lower case; nil if the code is not three letters.
    public let language: String?
    public let name: String
    /// Short description of a sentence or two.
    public let summary: String
    /// Long description, joined from at most 16 descriptors; empty if not sent.
    public private(set) var details: String

    public init(language: String?, name: String, summary: String = "", details: String = "") {
        self.language = language
        self.name = name
        self.summary = summary
        self.details = details
    }

    /// - Parameter content: the content of a short_event_descriptor.
    init(short content: inout WireReader) throws(WireError) {
        language = LanguageCode.letters(UInt32(try content.read(octets: 3)))
        name = try DVBText.readName(from: &content)
        summary = try DVBText.read(from: &content)
        details = ""
    }

    /// Adds an extended_event_descriptor to the text of its language, without its items. The descriptors come in order.
    static func extend(_ texts: inout [EventText], from content: inout WireReader) throws(WireError) {
        try content.skip(1)  // descriptor_number, last_descriptor_number
        let language = LanguageCode.letters(UInt32(try content.read(octets: 3)))
        let items: UInt8 = try content.read()
        try content.skip(Int(items))
        let part = try DVBText.read(from: &content)
        if let place = texts.firstIndex(where: { $0.language == language }) {
            texts[place].details += part
        } else {
            texts.append(EventText(language: language, name: "", details: part))
        }
    }
}
