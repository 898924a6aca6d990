// SPDX-License-Identifier: Apache-2.0
//
// Valid messages of every shape that the sessions know, short enough to be damaged in every place.

import StrictJSON

/// The messages that are damaged, without their NULs.
enum Corpus {
  static let goodCall = #"{"method":"org.varlink.service.GetInfo"}"#
  static let goodReply = #"{"parameters":{"n":1}}"#

  static let calls = [
    goodCall,
    #"{"method":"org.varlink.service.GetInfo","parameters":{}}"#,
    #"{"method": "org.varlink.service.GetInfo", "more": false, "parameters": null}"#,
    #"{"method":"org.varlink.service.GetInterfaceDescription","parameters":{"interface":"org.example.mutated"}}"#,
    #"{"method":"org.varlink.service.GetInterfaceDescription","parameters":{"interface":"é😀\ud83d\ude00\u0001"}}"#,
    #"{"oneway":true,"method":"org.example.mutated.Get","parameters":{"topic":{"kind":"x"}}}"#,
    #"{"method":"org.example.mutated.Watch","more":true,"upgrade":false}"#,
    #"{"method":"org.example.mutated.Get","upgrade":true,"org.example":{"trace":[1,2.5e-3,null]}}"#,
    #"{"method":"org.example.mutated.Get","parameters":{"topic":{"kind":"x","people":[{"handle":"a"},{"handle":"b"}]}"#
      + #","count":-9223372036854775808,"levels":{"a":[[["\"\\\/\b\f\n\r\t"]]]}}}"#,
    " \t\r\n{ \"method\" : \"gibberish\" } \n",
  ]

  static let replies = [
    "{}", goodReply,
    #"{"parameters":{"items":[],"next":null},"continues":true}"#,
    #"{"error":"org.varlink.service.InvalidParameter","parameters":{"parameter":"topic.people"}}"#,
    #"{"continues":false,"parameters":null,"org.example":{"a":1.5}}"#,
  ]

  static let descriptions = [interface, "interface a.b\nmethod M()->()"]

  /// Parameters of a call of `Get`.
  static let parameters: JSONObject = ["topic": ["kind": "x", "people": [["handle": "a"]]], "count": 1]

  static let interface = """
    # An interface to damage.
    interface org.example.mutated

    # A topic.
    type Topic (
      # Its kind
      kind: string,
      people: ?[](handle: string, name: ?string),
      colour: ?(red, green)
    )

    method Get(topic: Topic, count: ?int, levels: ?[string]object) -> (n: ?int)

    # [Requires 'more' flag]
    method Watch() -> (items: ?[]Topic)

    error Wrong (field: string)

    """
}
