/* unwind_row.c - see unwind_row.h: reads CIE and FDE, runs their instructions.
   The meaning is that of DWARF 5, 6.4, and of the psABI's .eh_frame.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "unwind/unwind_row.h"

/* What is left of some bytes. */
struct cursor {
  const uint8_t *at, *end;
  bool bad; /* something was missing or meant nothing */
};

static uint64_t read_bytes(struct cursor *from, size_t size) {
  if (from->bad || (size_t)(from->end - from->at) < size) {
    from->bad = true;
    return 0;
  }
  uint64_t value = 0;
  for (size_t i = 0; i < size; i++)
    value |= (uint64_t)from->at[i] << 8 * i;
  from->at += size;
  return value;
}

static uint8_t read_byte(struct cursor *from) {
  return (uint8_t)read_bytes(from, 1);
}

bool hp_read_unsigned(const uint8_t **at, const uint8_t *end, uint64_t *value) {
  *value = 0;
  for (unsigned shift = 0; *at < end; shift += 7) {
    uint8_t byte = *(*at)++;
    if (shift < 64)
      *value |= (uint64_t)(byte & 0x7f) << shift;
    if (!(byte & 0x80))
      return true;
  }
  return false;
}

bool hp_read_signed(const uint8_t **at, const uint8_t *end, int64_t *value) {
  uint64_t bits = 0;
  for (unsigned shift = 0; *at < end;) {
    uint8_t byte = *(*at)++;
    if (shift < 64)
      bits |= (uint64_t)(byte & 0x7f) << shift;
    shift += 7;
    if (byte & 0x80)
      continue;
    if (shift < 64 && byte & 0x40)
      bits |= ~(uint64_t)0 << shift;
    *value = (int64_t)bits;
    return true;
  }
  return false;
}

static uint64_t read_unsigned(struct cursor *from) {
  uint64_t value = 0;
  if (from->bad || !hp_read_unsigned(&from->at, from->end, &value))
    from->bad = true;
  return value;
}

static int64_t read_signed(struct cursor *from) {
  int64_t value = 0;
  if (from->bad || !hp_read_signed(&from->at, from->end, &value))
    from->bad = true;
  return value;
}

/* ---- addresses ------------------------------------------------------------ */

enum {
  ENCODING_OMIT = 0xff,
  ENCODING_FORMAT = 0x0f,
  ENCODING_BASE = 0x70,
  ENCODING_RELATIVE = 0x10, /* to where it stands */
  ENCODING_ALIGNED = 0x50,
  ENCODING_INDIRECT = 0x80
};

static uint64_t read_format(struct cursor *from, uint8_t format) {
  switch (format) {
  case 0: /* as an address */
  case 4:
  case 12:
    return read_bytes(from, 8);
  case 1:
    return read_unsigned(from);
  case 2:
    return read_bytes(from, 2);
  case 3:
    return read_bytes(from, 4);
  case 9:
    return (uint64_t)read_signed(from);
  case 10:
    return (uint64_t)(int16_t)read_bytes(from, 2);
  case 11:
    return (uint64_t)(int32_t)read_bytes(from, 4);
  default:
    from->bad = true;
    return 0;
  }
}

static uintptr_t read_address(struct cursor *from, uint8_t encoding) {
  uintptr_t here = (uintptr_t)from->at;
  uintptr_t value = read_format(from, encoding & ENCODING_FORMAT);
  switch (encoding & (ENCODING_BASE | ENCODING_INDIRECT)) {
  case 0:
    return value;
  case ENCODING_RELATIVE:
    return value ? here + value : 0;
  default:
    from->bad = true;
    return 0;
  }
}

static void skip_address(struct cursor *from, uint8_t encoding) {
  if (encoding == ENCODING_OMIT)
    return;
  if ((encoding & ENCODING_BASE) == ENCODING_ALIGNED)
    from->bad = true; /* made for no processor that we know */
  read_format(from, encoding & ENCODING_FORMAT);
}

/* ---- entries -------------------------------------------------------------- */

/* A view of the record at AT, behind its length; false if it is none. */
static bool open_record(struct cursor *record, const uint8_t *at,
                        const uint8_t *begin, const uint8_t *end) {
  if (at < begin || at >= end)
    return false;
  *record = (struct cursor){at, end, false};
  uint64_t length = read_bytes(record, 4);
  if (length == UINT32_MAX)
    length = read_bytes(record, 8);
  if (record->bad || !length || length > (uint64_t)(end - record->at))
    return false;
  record->end = record->at + length;
  return true;
}

/* Returns whether entries have data of their own, whose size is said first. */
static bool read_augmentation(struct hp_fde *fde, struct cursor *cie,
                              const char *letters) {
  if (letters[0] != 'z') {
    cie->bad |= letters[0] != 0;
    return false;
  }
  uint64_t size = read_unsigned(cie);
  if (cie->bad || size > (uint64_t)(cie->end - cie->at)) {
    cie->bad = true;
    return true;
  }
  const uint8_t *behind = cie->at + size;
  for (letters++; *letters; letters++) {
    if (*letters == 'R')
      fde->encoding = read_byte(cie);
    else if (*letters == 'P')
      skip_address(cie, read_byte(cie));
    else if (*letters == 'L')
      read_byte(cie);
    else if (*letters == 'S')
      fde->is_signal = true;
    else
      break; /* what follows is behind the data that we know */
  }
  if (cie->at > behind)
    cie->bad = true;
  cie->at = behind;
  return true;
}

static bool read_cie(struct hp_fde *fde, struct cursor *cie, bool *has_data) {
  uint8_t version = read_byte(cie);
  const char *letters = (const char *)cie->at;
  while (read_byte(cie))
    ;
  if (cie->bad || (version != 1 && version != 3 && version != 4))
    return false;
  if (version == 4) {
    uint8_t address_size = read_byte(cie), segment_size = read_byte(cie);
    if (address_size != sizeof(uintptr_t) || segment_size)
      return false;
  }
  fde->code_factor = read_unsigned(cie);
  fde->data_factor = read_signed(cie);
  uint64_t pc = version == 1 ? read_byte(cie) : read_unsigned(cie);
  *has_data = read_augmentation(fde, cie, letters);
  fde->code[0] = cie->at;
  fde->code_end[0] = cie->end;
  return !cie->bad && pc == HP_REGISTER_PC;
}

bool hp_fde_read(struct hp_fde *fde, const uint8_t *at, const uint8_t *begin,
                 const uint8_t *end) {
  *fde = (struct hp_fde){.origin = at};
  struct cursor entry, cie;
  if (!open_record(&entry, at, begin, end))
    return false;
  const uint8_t *here = entry.at;
  uint64_t back = read_bytes(&entry, 4);
  if (entry.bad || !back || back > (uint64_t)(here - begin) ||
      !open_record(&cie, here - back, begin, end))
    return false;
  bool has_data;
  if (read_bytes(&cie, 4) != 0 || !read_cie(fde, &cie, &has_data))
    return false;
  fde->start = read_address(&entry, fde->encoding);
  uintptr_t size =
      (uintptr_t)read_format(&entry, fde->encoding & ENCODING_FORMAT);
  uint64_t data = has_data ? read_unsigned(&entry) : 0;
  if (entry.bad || data > (uint64_t)(entry.end - entry.at) ||
      size > UINTPTR_MAX - fde->start)
    return false;
  fde->end = fde->start + size;
  fde->code[1] = entry.at + data;
  fde->code_end[1] = entry.end;
  return true;
}

/* ---- instructions --------------------------------------------------------- */

enum {
  OP_ADVANCE = 0x40, /* these three hold a number in their lower bits */
  OP_OFFSET = 0x80,
  OP_RESTORE = 0xc0,
  OP_NOP = 0,
  OP_SET_LOCATION,
  OP_ADVANCE1,
  OP_ADVANCE2,
  OP_ADVANCE4,
  OP_OFFSET_EXTENDED,
  OP_RESTORE_EXTENDED,
  OP_UNDEFINED,
  OP_SAME_VALUE,
  OP_REGISTER,
  OP_REMEMBER_STATE,
  OP_RESTORE_STATE,
  OP_DEFINE_CFA,
  OP_DEFINE_CFA_REGISTER,
  OP_DEFINE_CFA_OFFSET,
  OP_DEFINE_CFA_EXPRESSION,
  OP_EXPRESSION,
  OP_OFFSET_EXTENDED_SIGNED,
  OP_DEFINE_CFA_SIGNED,
  OP_DEFINE_CFA_OFFSET_SIGNED,
  OP_VALUE_OFFSET,
  OP_VALUE_OFFSET_SIGNED,
  OP_VALUE_EXPRESSION,
  OP_ARGUMENTS_SIZE = 0x2e,
  OP_NEGATIVE_OFFSET = 0x2f
};

/* Compilers remember one row, those that split functions two. */
#define ROWS_REMEMBERED 4

struct run {
  struct cursor from;
  const struct hp_fde *fde;
  uintptr_t location;
  struct hp_row *row;
  struct hp_row initial; /* what the shared instructions made */
  struct hp_row remembered[ROWS_REMEMBERED];
  unsigned remembered_count;
};

static int32_t narrow(struct run *run, int64_t value) {
  if (value != (int32_t)value)
    run->from.bad = true;
  return (int32_t)value;
}

static int32_t scaled(struct run *run, int64_t value) {
  if (__builtin_mul_overflow(value, run->fde->data_factor, &value))
    run->from.bad = true;
  return narrow(run, value);
}

static int32_t unsigned_offset(struct run *run) {
  return narrow(run, (int64_t)read_unsigned(&run->from));
}

/* Registers that we do not follow are read all the same. */
static void set(struct run *run, uint64_t number, enum hp_row_how how,
                int32_t value) {
  if (number < HP_REGISTERS && !run->from.bad)
    run->row->registers[number] =
        (struct hp_row_rule){.how = (uint8_t)how, .value = value};
}

static void restore(struct run *run, uint64_t number) {
  if (number < HP_REGISTERS && !run->from.bad)
    run->row->registers[number] = run->initial.registers[number];
}

static void set_register(struct run *run, uint64_t number) {
  uint64_t other = read_unsigned(&run->from);
  set(run, number, HP_ROW_IN, 0);
  if (other >= HP_REGISTERS)
    run->from.bad = number < HP_REGISTERS;
  else if (number < HP_REGISTERS && !run->from.bad)
    run->row->registers[number].reg = (uint8_t)other;
}

static void define_cfa(struct run *run, uint64_t number, int32_t value) {
  if (number >= HP_REGISTERS)
    run->from.bad = true;
  else
    run->row->cfa = (struct hp_row_rule){
        .how = HP_ROW_REGISTER, .reg = (uint8_t)number, .value = value};
}

/* Bytes from the entry to the expression that is next. */
static int32_t skip_expression(struct run *run) {
  struct cursor *from = &run->from;
  int32_t place = narrow(run, from->at - run->fde->origin);
  uint64_t size = read_unsigned(from);
  if (from->bad || size > (uint64_t)(from->end - from->at))
    from->bad = true;
  else
    from->at += size;
  return place;
}

static void advance(struct run *run, uint64_t by) {
  uint64_t bytes;
  if (__builtin_mul_overflow(by, run->fde->code_factor, &bytes) ||
      __builtin_add_overflow(run->location, bytes, &run->location))
    run->from.bad = true;
}

static void do_cfa(struct run *run, uint8_t op) {
  struct cursor *from = &run->from;
  uint64_t number;
  struct hp_row_rule *cfa = &run->row->cfa;
  switch (op) {
  case OP_DEFINE_CFA:
    number = read_unsigned(from);
    define_cfa(run, number, unsigned_offset(run));
    break;
  case OP_DEFINE_CFA_SIGNED:
    number = read_unsigned(from);
    define_cfa(run, number, scaled(run, read_signed(from)));
    break;
  case OP_DEFINE_CFA_REGISTER:
    number = read_unsigned(from);
    from->bad |= cfa->how != HP_ROW_REGISTER;
    define_cfa(run, number, cfa->value);
    break;
  case OP_DEFINE_CFA_OFFSET:
    cfa->value = unsigned_offset(run);
    from->bad |= cfa->how != HP_ROW_REGISTER;
    break;
  case OP_DEFINE_CFA_OFFSET_SIGNED:
    cfa->value = scaled(run, read_signed(from));
    from->bad |= cfa->how != HP_ROW_REGISTER;
    break;
  default: /* OP_DEFINE_CFA_EXPRESSION */
    *cfa = (struct hp_row_rule){.how = HP_ROW_IS_SUM,
                                .value = skip_expression(run)};
  }
}

static void do_state(struct run *run, uint8_t op) {
  if (op == OP_REMEMBER_STATE) {
    if (run->remembered_count == ROWS_REMEMBERED)
      run->from.bad = true;
    else
      run->remembered[run->remembered_count++] = *run->row;
  } else if (!run->remembered_count) {
    run->from.bad = true;
  } else {
    *run->row = run->remembered[--run->remembered_count];
  }
}

/* Those that begin with the number of a register. */
static void do_register(struct run *run, uint8_t op) {
  struct cursor *from = &run->from;
  uint64_t number = read_unsigned(from);
  switch (op) {
  case OP_OFFSET_EXTENDED:
    set(run, number, HP_ROW_AT, scaled(run, (int64_t)read_unsigned(from)));
    break;
  case OP_OFFSET_EXTENDED_SIGNED:
    set(run, number, HP_ROW_AT, scaled(run, read_signed(from)));
    break;
  case OP_NEGATIVE_OFFSET:
    set(run, number, HP_ROW_AT, scaled(run, -(int64_t)read_unsigned(from)));
    break;
  case OP_VALUE_OFFSET:
    set(run, number, HP_ROW_IS, scaled(run, (int64_t)read_unsigned(from)));
    break;
  case OP_VALUE_OFFSET_SIGNED:
    set(run, number, HP_ROW_IS, scaled(run, read_signed(from)));
    break;
  case OP_RESTORE_EXTENDED:
    restore(run, number);
    break;
  case OP_UNDEFINED:
    set(run, number, HP_ROW_UNDEFINED, 0);
    break;
  case OP_SAME_VALUE:
    set(run, number, HP_ROW_SAME, 0);
    break;
  case OP_REGISTER:
    set_register(run, number);
    break;
  case OP_EXPRESSION:
    set(run, number, HP_ROW_AT_SUM, skip_expression(run));
    break;
  case OP_VALUE_EXPRESSION:
    set(run, number, HP_ROW_IS_SUM, skip_expression(run));
    break;
  default:
    from->bad = true;
  }
}

static void do_instruction(struct run *run) {
  struct cursor *from = &run->from;
  uint8_t op = read_byte(from), low = op & 0x3f;
  switch (op & 0xc0) {
  case OP_ADVANCE:
    advance(run, low);
    return;
  case OP_OFFSET:
    set(run, low, HP_ROW_AT, scaled(run, (int64_t)read_unsigned(from)));
    return;
  case OP_RESTORE:
    restore(run, low);
    return;
  default:
    break;
  }
  switch (op) {
  case OP_NOP:
    break;
  case OP_SET_LOCATION:
    run->location = read_address(from, run->fde->encoding);
    break;
  case OP_ADVANCE1:
    advance(run, read_bytes(from, 1));
    break;
  case OP_ADVANCE2:
    advance(run, read_bytes(from, 2));
    break;
  case OP_ADVANCE4:
    advance(run, read_bytes(from, 4));
    break;
  case OP_REMEMBER_STATE:
  case OP_RESTORE_STATE:
    do_state(run, op);
    break;
  case OP_DEFINE_CFA:
  case OP_DEFINE_CFA_SIGNED:
  case OP_DEFINE_CFA_REGISTER:
  case OP_DEFINE_CFA_OFFSET:
  case OP_DEFINE_CFA_OFFSET_SIGNED:
  case OP_DEFINE_CFA_EXPRESSION:
    do_cfa(run, op);
    break;
  case OP_ARGUMENTS_SIZE:
    read_unsigned(from);
    break;
  default:
    do_register(run, op);
  }
}

bool hp_row_read(struct hp_row *row, const struct hp_fde *fde,
                 uintptr_t address) {
  struct run run;
  run.fde = fde;
  run.row = row;
  run.remembered_count = 0;
  *row = (struct hp_row){0};
  run.initial = *row;
  for (int part = 0; part < 2; part++) {
    run.location = fde->start;
    run.from = (struct cursor){fde->code[part], fde->code_end[part], false};
    while (run.from.at < run.from.end && !run.from.bad &&
           (part == 0 || run.location <= address))
      do_instruction(&run);
    if (run.from.bad)
      return false;
    if (part == 0)
      run.initial = *row;
  }
  return row->cfa.how != HP_ROW_SAME;
}

const uint8_t *hp_row_expression(const struct hp_fde *fde,
                                 const struct hp_row_rule *rule, size_t *size) {
  const uint8_t *at = fde->origin + rule->value;
  uint64_t bytes = 0;
  hp_read_unsigned(&at, at + 10, &bytes); /* it was read before */
  *size = bytes;
  return at;
}
