// SPDX-License-Identifier: Apache-2.0
//
// The interface of the certification, declaration by declaration as every implementation of it has it, and the values
// its methods expect and give. The result of a method is the parameter of the next, so each value stands here once.

import StrictJSON

/// `org.varlink.certification`.
enum CertificationInterface {
  static let name = "org.varlink.certification"

  /// What `Test01` to `Test09` give.
  static let results: [JSONObject] = [
    ["bool": true],
    ["int": 1],
    ["float": .real(1)],
    ["string": "ping"],
    mixed,
    ["struct": .object(mixed)],
    ["map": ["foo": "Foo", "bar": "Bar"]],
    ["set": ["one": [:], "two": [:], "three": [:]]],
    ["mytype": myType],
  ]

  /// What the ten replies of `Test10` give.
  static let numbered = (1...10).map { JSON.string("Reply number \($0)") }

  private static let mixed: JSONObject = [
    "bool": false, "int": 2, "float": .real(.pi), "string": "a lot of string",
  ]

  private static let myType: JSON = [
    "object": ["method": "org.varlink.certification.Test09", "parameters": ["map": ["foo": "Foo", "bar": "Bar"]]],
    "enum": "two",
    "struct": ["first": 1, "second": "2"],
    "array": ["one", "two", "three"],
    "dictionary": ["foo": "Foo", "bar": "Bar"],
    "stringset": ["one": [:], "two": [:], "three": [:]],
    "interface": [
      "foo": [.null, ["foo": "foo", "bar": "bar"], .null, ["one": "foo", "two": "bar"]],
      "anon": ["foo": true, "bar": false],
    ],
  ]

  static let text = """
    interface org.varlink.certification

    type Interface (
      foo: ?[]?[string](foo, bar, baz),
      anon: (foo: bool, bar: bool)
    )

    type MyType (
      object: object,
      enum: (one, two, three),
      struct: (first: int, second: string),
      array: []string,
      dictionary: [string]string,
      stringset: [string](),
      nullable: ?string,
      nullable_array_struct: ?[](first: int, second: string),
      interface: Interface
    )

    method Start() -> (client_id: string)

    method Test01(client_id: string) -> (bool: bool)

    method Test02(client_id: string, bool: bool) -> (int: int)

    method Test03(client_id: string, int: int) -> (float: float)

    method Test04(client_id: string, float: float) -> (string: string)

    method Test05(client_id: string, string: string) -> (
      bool: bool,
      int: int,
      float: float,
      string: string
    )

    method Test06(
      client_id: string,
      bool: bool,
      int: int,
      float: float,
      string: string
    ) -> (
      struct: (
        bool: bool,
        int: int,
        float: float,
        string: string
      )
    )

    method Test07(
      client_id: string,
      struct: (
        bool: bool,
        int: int,
        float: float,
        string: string
      )
    ) -> (map: [string]string)

    method Test08(client_id: string, map: [string]string) -> (set: [string]())

    method Test09(client_id: string, set: [string]()) -> (mytype: MyType)

    # returns more than one reply with "continues"
    method Test10(client_id: string, mytype: MyType) -> (string: string)

    # must be called as "oneway"
    method Test11(client_id: string, last_more_replies: []string) -> ()

    method End(client_id: string) -> (all_ok: bool)

    error ClientIdError ()

    error CertificationError (wants: object, got: object)

    """
}
