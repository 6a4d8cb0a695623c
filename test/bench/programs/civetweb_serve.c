/* civetweb_serve.c - civetweb_serve REQUESTS: CivetWeb serves pages on the loopback to a client in the same process.
   Threads of the server answer; the client takes one page after the other and adds their bytes up.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "civetweb.h"

/* A table of as many rows as the query says, built anew as pages of programs
   are. */
static int answer(struct mg_connection *connection, void *unused) {
  (void)unused;
  const char *query = mg_get_request_info(connection)->query_string;
  const unsigned rows = query ? (unsigned)strtoul(query, NULL, 10) : 0;
  char **lines = calloc(rows + 1, sizeof *lines);
  size_t length = 0;
  for (unsigned i = 0; lines && i < rows; i++) {
    if (!(lines[i] = malloc(48)))
      continue;
    length += (size_t)snprintf(lines[i], 48, "<tr><td>row %u</td></tr>\n", i);
  }
  mg_printf(connection,
            "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
            "Content-Length: %zu\r\n\r\n",
            length);
  for (unsigned i = 0; lines && i < rows; i++) {
    if (lines[i])
      mg_write(connection, lines[i], strlen(lines[i]));
    free(lines[i]);
  }
  free(lines);
  return 200;
}

/* The bytes of one page. */
static long take(int port, unsigned rows) {
  char error[128], part[4096];
  struct mg_connection *connection = mg_download(
      "127.0.0.1", port, 0, error, sizeof error,
      "GET /table?%u HTTP/1.1\r\nHost: localhost\r\nX-Trace: page-%u\r\n\r\n",
      rows, rows);
  if (!connection)
    return -1;
  long bytes = 0;
  for (int got; (got = mg_read(connection, part, sizeof part)) > 0;)
    bytes += got;
  mg_close_connection(connection);
  return bytes;
}

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  const unsigned long requests = strtoul(argv[1], NULL, 10);
  const char *options[] = {"listening_ports", "127.0.0.1:0", "num_threads", "4",
                           NULL};
  struct mg_callbacks callbacks;
  memset(&callbacks, 0, sizeof callbacks);
  mg_init_library(0);
  struct mg_context *server = mg_start(&callbacks, NULL, options);
  struct mg_server_port port;
  if (!server || mg_get_server_ports(server, 1, &port) != 1) {
    fputs("civetweb_serve: no server on the loopback\n", stderr);
    return 1;
  }
  mg_set_request_handler(server, "/table", answer, NULL);
  long total = 0;
  for (unsigned long i = 0; i < requests; i++) {
    const long bytes = take(port.port, (unsigned)(i % 40));
    if (bytes < 0) {
      fputs("civetweb_serve: a page did not come\n", stderr);
      return 1;
    }
    total += bytes;
  }
  mg_stop(server);
  mg_exit_library();
  printf("%ld\n", total);
}
