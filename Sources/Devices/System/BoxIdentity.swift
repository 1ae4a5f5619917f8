// SPDX-License-Identifier: Apache-2.0
/// The box's stable UUID (SVM-131): random, made once, never in an image.
public struct BoxIdentity: Sendable {
    /// A UUID as text in lower case.
    public let id: String
    /// Why the next start will have another one, nil when this one is kept: a full disk must not darken a screen.
    public let problem: SystemCallError?

    /// Reads the identity of a state directory, or makes it.
    /// - Throws: when the kernel has no random octets.
    public static func load(from directory: String) throws(SystemCallError) -> BoxIdentity {
        let made = try random()
        do throws(SystemCallError) {
            return BoxIdentity(id: try keep(made, in: directory), problem: nil)
        } catch {
            return BoxIdentity(id: made, problem: error)
        }
    }

    /// - Returns: that which is kept there already, else `made`.
    private static func keep(_ made: String, in directory: String) throws(SystemCallError) -> String {
        let path = directory + "/box-id"
        if let bytes = try DurableFile.read(path, limit: 256) {
            let text = String(decoding: bytes, as: UTF8.self).filter { !$0.isWhitespace }
            if text.utf8.count == 36 { return text }
        }
        try DurableFile.makeDirectory(directory)
        try DurableFile.write(Array((made + "\n").utf8), to: path)
        return made
    }

    /// A UUID of version 4 (RFC 9562 §5.4).
    public static func random() throws(SystemCallError) -> String {
        var bytes = try SystemRandom.bytes(16)
        bytes[6] = bytes[6] & 0x0f | 0x40
        bytes[8] = bytes[8] & 0x3f | 0x80
        let digits = Array("0123456789abcdef")
        var text = ""
        for (index, byte) in bytes.enumerated() {
            if [4, 6, 8, 10].contains(index) { text.append("-") }
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return text
    }
}
