// SPDX-License-Identifier: Apache-2.0

/// The error of this type that `body` throws, or nil. (`#expect(throws:)` gives it back from 6.1 on only.)
public func thrown<Failure: Error, Answer>(_: Failure.Type, by body: () throws -> Answer) -> Failure? {
    do {
        _ = try body()
        return nil
    } catch {
        return error as? Failure
    }
}
