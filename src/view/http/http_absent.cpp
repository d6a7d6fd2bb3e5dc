// SPDX-License-Identifier: Apache-2.0
// Where Boost is not: no server, see http.h. http.cpp is in its place where it is.
#include "hornbeam/error.h"
#include "view/http/http.h"

namespace hornbeam::view {

struct HttpServer::State {};

HttpServer::HttpServer(const Address& /*address*/) {
  throw UsageError("view", "this program was built without Boost.Beast, which the live view needs",
                   "install libboost-dev, then configure and build again");
}
HttpServer::~HttpServer() = default;

void HttpServer::serve(Answerer /*answer*/) {}
std::uint16_t HttpServer::port() const { return 0; }

}  // namespace hornbeam::view
