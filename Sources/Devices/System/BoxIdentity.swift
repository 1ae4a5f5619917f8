// SPDX-License-Identifier: Apache-2.0
/// The box's stable UUID (SVM-131): random, generated once on the box, never part of an image.
public struct BoxIdentity: Sendable {
    /// A UUID as text in lower case.
    public let id: String
    /// Why the id could not be stored, so that the next start generates another one; nil if it is stored. The box
    /// starts all the same: a full disk must not leave a screen dark.
    public let problem: SystemCallError?

    /// Reads the id from a state directory, or generates and stores it.
    /// - Throws: when the kernel provides no random octets.
    public static func load(from directory: String) throws(SystemCallError) -> BoxIdentity {
        let made = try random()
        do throws(SystemCallError) {
            return BoxIdentity(id: try keep(made, in: directory), problem: nil)
        } catch {
            return BoxIdentity(id: made, problem: error)
        }
    }

    /// - Returns: the stored id if there is one, otherwise `made`.
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

    /// A UUID of version 4 (RFC 9562, 5.4).
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
