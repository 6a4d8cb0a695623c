// string_input.cpp - reading a std::string or std::wstring from a stream.
// libstdc++.so has these without hooks; these take their place in the program.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <istream>
#include <locale>
#include <string>

namespace {

using character = HP_CHARACTER;
using traits = std::char_traits<character>;
using stream = std::basic_istream<character>;
using text = std::basic_string<character>;

// What is read ahead of a stream buffer's reader, which is protected there.
struct area : std::basic_streambuf<character> {
  static const character *begin(const std::basic_streambuf<character> &of) {
    return (of.*&area::gptr)();
  }
  static std::streamsize size(const std::basic_streambuf<character> &of) {
    return (of.*&area::egptr)() - begin(of);
  }
  static void take(std::basic_streambuf<character> &of, std::streamsize n) {
    (of.*&area::__safe_gbump)(n);
  }
};

// Appends to INTO, LIMIT characters at most, up to the first at which the
// stream is to stop: is_end(c) says so of one, find_end(begin, end) where it is
// among many.  Returns what stands there, or the end of file.
template <typename IsEnd, typename FindEnd>
traits::int_type append(text &into, std::basic_streambuf<character> &from,
                        text::size_type limit, text::size_type &extracted,
                        IsEnd is_end, FindEnd find_end) {
  traits::int_type c = from.sgetc();
  while (extracted < limit && !traits::eq_int_type(c, traits::eof()) &&
         !is_end(traits::to_char_type(c))) {
    std::streamsize ahead = area::size(from);
    if (ahead > 1) {
      const character *begin = area::begin(from);
      if (static_cast<text::size_type>(ahead) > limit - extracted)
        ahead = static_cast<std::streamsize>(limit - extracted);
      ahead = find_end(begin, begin + ahead) - begin;
      into.append(begin, static_cast<text::size_type>(ahead));
      extracted += static_cast<text::size_type>(ahead);
      area::take(from, ahead);
      c = from.sgetc();
    } else {
      into += traits::to_char_type(c);
      ++extracted;
      c = from.snextc();
    }
  }
  return c;
}

// Runs READ, which returns what to add to the state, as an input function of
// the standard library is to: exceptions become badbit, but a thread's end.
template <typename Read>
stream &extract(stream &in, bool keep_white_space, Read read) {
  std::ios_base::iostate state = std::ios_base::goodbit;
  text::size_type extracted = 0;
  const stream::sentry ready(in, keep_white_space);
  if (ready) {
    try {
      state = read(extracted);
    } catch (__cxxabiv1::__forced_unwind &) {
      in._M_setstate(std::ios_base::badbit);
      throw;
    } catch (...) {
      in._M_setstate(std::ios_base::badbit);
    }
  }
  if (extracted == 0)
    state |= std::ios_base::failbit;
  if (state != std::ios_base::goodbit)
    in.setstate(state);
  return in;
}

} // namespace

namespace std {

#if HP_WIDE
template stream &operator>>(stream &, text &); // a template in the header
#else
template <> __attribute__((weak)) stream &operator>>(stream &in, text &into) {
  return extract(in, false, [&](text::size_type &extracted) {
    into.erase();
    const streamsize width = in.width();
    const text::size_type limit =
        width > 0 ? static_cast<text::size_type>(width) : into.max_size();
    const ctype<character> &of = use_facet<ctype<character>>(in.getloc());
    const traits::int_type c = append(
        into, *in.rdbuf(), limit, extracted,
        [&](character it) { return of.is(ctype_base::space, it); },
        [&](const character *begin, const character *end) {
          return of.scan_is(ctype_base::space, begin + 1, end);
        });
    in.width(0);
    return extracted < limit && traits::eq_int_type(c, traits::eof())
               ? ios_base::eofbit
               : ios_base::goodbit;
  });
}
#endif

template <>
__attribute__((weak))
stream &getline(stream &in, text &into, character delimiter) {
  return extract(in, true, [&](text::size_type &extracted) {
    into.erase();
    basic_streambuf<character> &from = *in.rdbuf();
    const traits::int_type c = append(
        into, from, into.max_size(), extracted,
        [&](character it) { return traits::eq(it, delimiter); },
        [&](const character *begin, const character *end) {
          const character *found =
              traits::find(begin, static_cast<size_t>(end - begin), delimiter);
          return found != nullptr ? found : end;
        });
    if (traits::eq_int_type(c, traits::eof()))
      return ios_base::eofbit;
    if (!traits::eq(traits::to_char_type(c), delimiter))
      return ios_base::failbit;
    ++extracted;
    from.sbumpc();
    return ios_base::goodbit;
  });
}

template stream &getline(stream &, text &);

} // namespace std
