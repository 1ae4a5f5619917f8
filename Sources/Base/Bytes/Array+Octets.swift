// SPDX-License-Identifier: Apache-2.0

extension Array {
    /// `withUnsafeBytes` with a typed error, which the standard library of 6.0.3 lacks.
    @inlinable
    public func withOctets<Answer, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Answer
    ) throws(Failure) -> Answer {
        let answer: Result<Answer, Failure> = withUnsafeBytes { octets in
            do throws(Failure) { return .success(try body(octets)) } catch { return .failure(error) }
        }
        return try answer.get()
    }
}
