// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Python's securesystemslib, an implementation of DSSE by its authors, which knows nothing of us.
public enum SecureSystemsPeer {
    /// For `.enabled(if:)`. Says so when the library is not installed; where peers are required the test runs and fails.
    public static let isThere: Bool = {
        let check = "import cryptography, securesystemslib.dsse"
        if (try? run(["-c", check], input: Data()))?.status == 0 { return true }  // no python is no library
        print("SKIP: securesystemslib and cryptography are not installed")
        return Required.everything
    }()

    /// The process ended with this code.
    public struct Failure: Error {
        public let status: Int32
    }

    private static let program = """
        import json, sys
        from cryptography.hazmat.primitives.serialization import load_pem_private_key, load_pem_public_key
        from securesystemslib.dsse import Envelope
        from securesystemslib.exceptions import VerificationError
        from securesystemslib.signer import CryptoSigner, SSlibKey
        job = json.load(sys.stdin)
        if "private" in job:
            private = load_pem_private_key(job["private"].encode(), None)
            public = SSlibKey.from_crypto(private.public_key(), keyid=job["keyid"])
            envelope = Envelope(bytes.fromhex(job["payload"]), job["type"], {})
            envelope.sign(CryptoSigner(private, public))
            print(json.dumps(envelope.to_dict()))
        else:
            public = SSlibKey.from_crypto(load_pem_public_key(job["public"].encode()), keyid=job["keyid"])
            envelope = Envelope.from_dict(json.loads(job["envelope"]))
            try:
                print(json.dumps(sorted(envelope.verify([public], 1))))
            except VerificationError:
                print("[]")
        """

    /// The text of an envelope that the library signs.
    public static func envelope(_ payload: [UInt8], type: String, keyID: String, key: String) throws -> [UInt8] {
        let digits = payload.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        return try answer(["private": key, "keyid": keyID, "type": type, "payload": digits])
    }

    /// Whether the library accepts the signature of this key in an envelope.
    public static func accepts(_ envelope: [UInt8], keyID: String, key: String) throws -> Bool {
        let text = String(decoding: envelope, as: UTF8.self)
        let answer = try answer(["public": key, "keyid": keyID, "envelope": text])
        return try JSONDecoder().decode([String].self, from: Data(answer)) == [keyID]
    }

    private static func answer(_ job: [String: String]) throws -> [UInt8] {
        let result = try run(["-c", program], input: try JSONEncoder().encode(job))
        guard result.status == 0 else { throw Failure(status: result.status) }
        return Array(result.output)
    }

    /// `TOUCHLINE_PEERS` is a Python environment for libraries that no distribution has.
    private static var python: String {
        let environment = ProcessInfo.processInfo.environment
        let own = environment["TOUCHLINE_PEERS"].map { "\($0)/bin/python3" }
        return own.flatMap { FileManager.default.fileExists(atPath: $0) ? $0 : nil } ?? "python3"
    }

    private static func run(_ arguments: [String], input: Data) throws -> (status: Int32, output: Data) {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [python] + arguments
        let (stdin, stdout) = (Pipe(), Pipe())
        process.standardInput = stdin
        process.standardOutput = stdout
        process.standardError = FileHandle.nullDevice
        try process.run()
        // The program has read everything before it prints, so neither side waits for the other.
        if !input.isEmpty { try stdin.fileHandleForWriting.write(contentsOf: input) }
        try stdin.fileHandleForWriting.close()
        let output = stdout.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, output)
    }
}
