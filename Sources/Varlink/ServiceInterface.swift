// SPDX-License-Identifier: Apache-2.0
//
// The interface every Varlink service has (UAPI.20), every field documented in words of our own, and its
// errors as replies. Other parts of a service answer with the same errors, so they are here and nowhere else.

internal import StrictJSON

/// `org.varlink.service`.
package enum ServiceInterface {
  package static let name = "org.varlink.service"

  /// The interface was not found.
  package static func interfaceNotFound(_ interface: String) -> Reply {
    Reply(error: "\(name).InterfaceNotFound", ["interface": .string(interface)])
  }

  /// The interface has no such method. `method` is the full name, as sd-varlink gives it.
  package static func methodNotFound(_ method: String) -> Reply {
    Reply(error: "\(name).MethodNotFound", ["method": .string(method)])
  }

  /// The interface has the method, but not in the way it was called. `method` is the full name.
  package static func methodNotImplemented(_ method: String) -> Reply {
    Reply(error: "\(name).MethodNotImplemented", ["method": .string(method)])
  }

  /// A parameter does not match the interface. `parameter` is its dotted name.
  package static func invalidParameter(_ parameter: String) -> Reply {
    Reply(error: "\(name).InvalidParameter", ["parameter": .string(parameter)])
  }

  /// The method only makes sense with `more`.
  package static let expectedMore = Reply(error: "\(name).ExpectedMore")

  /// The IDL text.
  static let text = """
    # Describes a service and the interfaces it has. Every Varlink service has this interface.
    interface org.varlink.service

    # Tells what the service is and which interfaces it has.
    method GetInfo() -> (
      # Who makes the service
      vendor: string,
      # What the service is called
      product: string,
      # The version of the service
      version: string,
      # Where to read more about it
      url: string,
      # The names of all interfaces of the service, this one among them
      interfaces: []string
    )

    # Gives the text that describes an interface.
    method GetInterfaceDescription(
      # The name of the interface
      interface: string
    ) -> (
      # The description in Varlink's interface definition language, with its comments
      description: string
    )

    # The service does not have the interface.
    error InterfaceNotFound(
      # The name of the interface
      interface: string
    )

    # The interface does not have the method.
    error MethodNotFound(
      # The full name of the method
      method: string
    )

    # The interface has the method, but the service does not implement it, or not in the way it was called.
    error MethodNotImplemented(
      # The full name of the method
      method: string
    )

    # A parameter is missing, unknown, of the wrong type, or out of range.
    error InvalidParameter(
      # The name of the parameter; a field within a parameter is named with a dot
      parameter: string
    )

    # The caller may not do this.
    error PermissionDenied()

    # The method must be called with the flag 'more'.
    error ExpectedMore()

    # The method must be called with the flag 'upgrade'.
    error ExpectedUpgrade()

    """
}
