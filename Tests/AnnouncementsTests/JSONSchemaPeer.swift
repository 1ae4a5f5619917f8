// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import Testing

/// Python's jsonschema, which knows nothing of us.
enum JSONSchemaPeer {
    private static let program = """
        import json, sys
        from jsonschema import Draft202012Validator as V, FormatChecker
        schema = json.load(open(sys.argv[1]))
        V.check_schema(schema)
        validator = V(schema, format_checker=FormatChecker())
        print("".join("1" if validator.is_valid(value) else "0" for value in json.load(sys.stdin)))
        """

    /// Says so when it is not, and fails where peers are required.
    static func isThere() throws -> Bool {
        let probe = try run(["-c", "import jsonschema; jsonschema.Draft202012Validator"], input: Data())
        guard probe.status != 0 else { return true }
        print("SKIP: python3-jsonschema is not installed")
        #expect(ProcessInfo.processInfo.environment["TOUCHLINE_REQUIRE_PEERS"] != "1", "python3-jsonschema is required")
        return false
    }

    static func verdicts(on values: [JSONValue], schema: URL) throws -> [Bool] {
        let result = try run(["-c", program, schema.path], input: Data(JSONValue.array(values).octets()))
        #expect(result.status == 0)
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
        if !input.isEmpty { try stdin.fileHandleForWriting.write(contentsOf: input) }
        try stdin.fileHandleForWriting.close()
        let output = stdout.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }
}
