// SPDX-License-Identifier: Apache-2.0
import Commands

/// The input as a line that somebody typed, and what its words ask for.
func fuzzCommandWords(_ bytes: UnsafeRawBufferPointer) {
    let line = String(decoding: bytes, as: UTF8.self)
    guard let typed = try? CommandWords(line) else { return }  // refusing is an answer
    precondition(typed.words.count <= line.count && typed.words.joined().utf8.count <= line.utf8.count)
    _ = try? Invocation(typed.words, in: catalogue)
}
