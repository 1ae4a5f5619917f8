// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Python's jsonschema, a validator that knows nothing of us.
public enum JSONSchemaPeer {
    /// For `.enabled(if:)`. Says so when the library is not installed; where peers are required the test runs and fails.
    public static let isThere: Bool = {
        let check = "import jsonschema; jsonschema.Draft202012Validator"
        if (try? run(["-c", check], input: Data()))?.status == 0 { return true }  // no python is no jsonschema
        print("SKIP: python3-jsonschema is not installed")
        return Required.everything
    }()

    /// The process could not judge the texts.
    public struct Failure: Error {
        public let status: Int32
    }

    private static let program = """
        import json, sys
        from jsonschema import Draft202012Validator as V, FormatChecker
        schema = json.load(open(sys.argv[1]))
        V.check_schema(schema)
        validator = V(schema, format_checker=FormatChecker())
        print("".join("1" if validator.is_valid(json.loads(line)) else "0" for line in sys.stdin.buffer))
        """

    /// Whether each text is valid. All are judged by one process, because its start takes longer than the judging.
    /// - Parameters:
    ///   - texts: JSON texts without line feeds.
    ///   - schema: the path of a JSON Schema 2020-12.
    public static func verdicts(on texts: [String], schema: String) throws -> [Bool] {
        let result = try run(["-c", program, schema], input: Data(texts.map { $0 + "\n" }.joined().utf8))
        guard result.status == 0 else { throw Failure(status: result.status) }
        return result.output.compactMap { $0 == "0" ? false : $0 == "1" ? true : nil }
    }

    private static func run(_ arguments: [String], input: Data) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3"] + arguments
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
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }
}
