// SPDX-License-Identifier: Apache-2.0
import Commands
import JSON

/// How callers show who they are.
extension OpenAPI {
    /// Either of them, or neither: who shows nothing has the role that the settings give to where it comes from.
    static let credentials: JSONValue = [["token": []], ["session": []], [:]]

    static let securitySchemes: JSONValue = [
        "token": [
            "type": "http", "scheme": "bearer",
            "description": "A token that token-create or claim answered. WebSockets may offer it as bearer.TOKEN.",
        ],
        "session": [
            "type": "apiKey", "in": "cookie", "name": "touchline-session",
            "description": "The session of a page, which POST /v1/session opens.",
        ],
    ]

    static var session: JSONValue {
        let about: JSONValue = [
            "type": "object", "required": ["claim"],
            "properties": [
                "claim": ["type": "string", "enum": ["claimed", "closed", "open"]], "name": ["type": "string"],
                "role": ["type": "string", "enum": .array(Role.allCases.map { .string($0.rawValue) })],
            ],
        ]
        let token: JSONValue = [
            "type": "object", "required": ["token"], "properties": ["token": ["type": "string"]],
            "additionalProperties": false,
        ]
        var post = operation("post", "Open a session of a page with a token", about)
        post["requestBody"] = ["content": ["application/json": ["schema": token]], "required": true]
        for code in ["411", "413", "415", "422"] {
            post["responses"]?[code] = ["$ref": .string("#/components/responses/\(code)")]
        }
        let nothing: JSONValue = ["type": "object", "maxProperties": 0]
        return [
            "get": operation("get", "Who the caller is", about), "post": post,
            "delete": operation("delete", "End the session", nothing),
        ]
    }

    private static func operation(_ method: String, _ summary: String, _ schema: JSONValue) -> JSONValue {
        var responses: [String: JSONValue] = [
            "200": ["description": "Done.", "content": ["application/json": ["schema": schema]]]
        ]
        for code in ["400", "401", "403", "429", "503"] {
            responses[code] = ["$ref": .string("#/components/responses/\(code)")]
        }
        return [
            "operationId": .string("\(method)-session"), "summary": .string(summary), "tags": ["viewer"],
            "security": method == "get" ? credentials : [], "responses": .object(responses),
        ]
    }
}
