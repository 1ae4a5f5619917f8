// SPDX-License-Identifier: Apache-2.0
import ControlClient
import Time

/// To make one takes longer than to type at it; it is a value, so that each input has a copy.
private let fresh = [false, true].map { ConsoleSession(catalogue, isDumb: $0) }

/// The input as what somebody types at a console, with answers of commands and the passing of time among it. Octets from
/// 0xf8 on, which no text has, say which; the others are typed, one at a time or as text that is pasted.
func fuzzConsole(_ bytes: UnsafeRawBufferPointer) {
    let first = bytes.first ?? 0
    var session = fresh[Int(first & 1)]
    session.resize(rows: Int(first & 0x1f), columns: Int(first) * 3)
    var now = Monotonic(nanoseconds: 0)
    var written = 0
    let isPasted = first & 0x20 != 0
    var rest = bytes.dropFirst()
    while let octet = rest.first {
        rest = rest.dropFirst()
        switch octet {
        case 0xf8: session.printed(repeatElement(UInt8(ascii: "x"), count: 300))
        case 0xf9: session.printed(Array("an answer\nof lines\n\u{1b}[2J".utf8))
        case 0xfa: session.ended(0)
        case 0xfb: session.ended(1)
        case 0xfc:
            now = now + .seconds(200)
            session.tick(at: now)
        case 0xfd: session.resize(rows: 5, columns: 30)
        case 0xfe: session.named(["one", "two words", "\u{7}"])
        default:
            let more = isPasted ? rest.prefix { $0 < 0xf8 } : rest.prefix(0)
            session.received([octet] + more, at: now)
            rest = rest.dropFirst(more.count)
        }
        while let action = session.next() {
            switch action {
            case .write(let octets):
                written += octets.count
                precondition(!octets.contains(0x1b), "the terminal would act upon it")
            case .logIn(let token):
                session.answered(
                    token == nil ? .needed(why: nil) : .accepted(name: "a", role: "viewer", idle: .seconds(300)),
                    at: now)
            case .run, .interrupt, .list, .logOut, .end: break
            }
        }
    }
    // A row is drawn anew for a key at most, and a help or a page of answers takes so much.
    precondition(written <= 10_000 + bytes.count * 70_000)
}
