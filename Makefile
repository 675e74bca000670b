# make            build/tokstep (release)      make test    every check; ends with "N passed, N failed"
# make debug      the same under ASan+UBSan    make lint    clang-tidy, cppcheck, clang-format
# make run        the explorer                 make bench   the measured figures
# make rtl-test   benches of the RTL            make cosim    engine and RTL in lock step
# make fuzz SECONDS=20   each fuzz target for so long
# make deps GOAL  what GOAL needs (apt)        make install DESTDIR= PREFIX=/usr/local

ifneq ($(filter deps,$(MAKECMDGOALS)),)
# `make deps GOAL...`: install first, then read this file again, which looks for the libraries.
GOALS := $(filter-out deps,$(MAKECMDGOALS))
.PHONY: deps $(GOALS)
deps:
	@.ci/deps $(GOALS)
	$(if $(GOALS),@$(MAKE) --no-print-directory $(GOALS))
$(GOALS): deps
	@:
else

CC      ?= cc
CFLAGS  ?= -O2 -g
B       ?= build
PREFIX  ?= /usr/local
DESTDIR ?=

VERSION := 0.1.0
WARN    := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes
# Lua has a different name everywhere.
LUA     := $(firstword $(foreach p,lua5.4 lua-5.4 lua54 lua,$(shell pkg-config --exists '$(p) >= 5.4 $(p) < 5.5' && echo $(p))) lua5.4)
PKGS    := ncursesw readline jansson gmp $(LUA)
ifneq ($(filter-out clean,$(or $(MAKECMDGOALS),all)),)
  PKG_MISSING := $(shell pkg-config --print-errors --exists $(PKGS) 2>&1 || echo missing)
endif
PKG_CFLAGS := $(filter-out -D%,$(shell pkg-config --cflags $(PKGS) 2>/dev/null))
PKG_LIBS   := $(shell pkg-config --libs $(PKGS) 2>/dev/null)
DEFS    := -D_DEFAULT_SOURCE -D_XOPEN_SOURCE=700 -DTOKSTEP_VERSION='"$(VERSION)"'
ALL_CFLAGS = -std=c17 $(WARN) $(DEFS) -Isrc -MMD -MP $(PKG_CFLAGS) $(CFLAGS) $(ROOM_CFLAGS) $(SAN)

# Each room is one archive; later rooms may use earlier ones, never the reverse (README, "rooms"). Views
# know nothing of each other: each has a room.
VIEWS    := $(patsubst src/%/,%,$(wildcard src/tui/view/*/))
ROOMS    := base num engine tensor tell model session script tui/screen tui/input tui/view $(VIEWS) tui cli train
room_obj  = $(patsubst src/%.c,$(B)/%.o,$(wildcard src/$(1)/*.c))
# The archives a room's own tests may link: its layer and what lies below it.
DEPS_base    := base
DEPS_num     := num base
DEPS_engine  := engine base
DEPS_tensor  := tensor num base
DEPS_tell    := tell engine num base
DEPS_model   := model tensor engine num base
DEPS_session := session model tell tensor engine num base
DEPS_script  := script $(DEPS_session)
DEPS_train   := train $(DEPS_model)
DEPS_screen  := tui/screen engine num base
DEPS_view    := $(VIEWS) tui/view tui/input tui/screen $(DEPS_script)
DEPS_tui     := tui $(DEPS_view)
archives      = $(foreach r,$(1),$(if $(wildcard src/$(r)/*.c),$(B)/$(r).a))

PROGRAM := $(B)/tokstep
ALL_ROOMS_LINK := cli $(DEPS_tui)
TRAINER := $(B)/tokstep-train
COSIM   := $(B)/tests/rtl/cosim
SYSTOLIC_COSIM := $(B)/tests/rtl/systolic_cosim

.PHONY: all debug run test check lint bench install clean fuzz golden
.DELETE_ON_ERROR:
all: $(PROGRAM)

ifneq ($(PKG_MISSING),)
  $(info $(PKG_MISSING))
  $(error libraries are missing; `make deps` installs them)
endif

$(PROGRAM): $(B)/main.o $(call archives,$(ALL_ROOMS_LINK))
	$(CC) $(CFLAGS) $(SAN) $(LDFLAGS) -o $@ $^ $(PKG_LIBS) -lm

define ROOM_RULE
$(B)/$(1).a: $(call room_obj,$(1))
	rm -f $$@ && $(AR) rcs $$@ $$^
endef
$(foreach r,$(ROOMS),$(eval $(call ROOM_RULE,$(r))))

# The engine's inner loops are dot products: let the compiler vectorise them. Stepping crosses from
# session to engine every clock: with gcc the program is inlined across rooms (35 % faster).
ifneq ($(shell $(CC) --version 2>/dev/null | grep -c 'Free Software'),0)
  LTO := -flto=auto
  NO_LTO := -fno-lto # tests link in no time
endif
$(B)/engine/%.o $(B)/tensor/%.o: CFLAGS += -O3
# Training gives the same bytes everywhere: no fused multiply-adds, whatever CFLAGS say.
$(B)/train/%.o: CFLAGS += -O3
$(B)/train/%.o $(B)/base/portable_math.o: ROOM_CFLAGS := -ffp-contract=off -fno-math-errno
ifeq ($(SAN),)
$(B)/engine/%.o $(B)/model/%.o $(B)/session/%.o $(B)/base/%.o: CFLAGS += $(if $(LTO),-flto -ffat-lto-objects)
$(PROGRAM): LDFLAGS += $(LTO) -O3
endif
$(B)/%.o: src/%.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -c -o $@ $<

# The tests of a room are one program, linked once; each is a link to it (tests/suite.c).
TEST_ROOMS := base num engine tensor tell model session script screen view tui train
room_tests  = $(patsubst tests/%.c,$(B)/tests/%,$(wildcard tests/$(1)/test_*.c))
TEST_CFLAGS = $(ALL_CFLAGS) -Wno-missing-prototypes $(NO_LTO) -Itests
$(B)/tests/%.o: tests/%.c
	@mkdir -p $(@D)
	$(CC) $(TEST_CFLAGS) -Dmain=main_$(*F) -c -o $@ $<
define TEST_RULE
$(B)/tests/$(1)/suite.h: $(wildcard tests/$(1))
	@mkdir -p $$(@D)
	printf 'TEST(%s)\n' $(notdir $(call room_tests,$(1))) > $$@
$(B)/tests/$(1)/suite: tests/suite.c $(B)/tests/$(1)/suite.h $(addsuffix .o,$(call room_tests,$(1))) $(call archives,$(DEPS_$(1)))
	$(CC) $(ALL_CFLAGS) $(NO_LTO) -I$(B)/tests/$(1) -o $$@ $$(filter-out %.h,$$^) $(PKG_LIBS) -lcmocka -lm
$(call room_tests,$(1)): $(B)/tests/$(1)/suite
	ln -sf suite $$@
endef
$(foreach r,$(TEST_ROOMS),$(eval $(call TEST_RULE,$(r))))

DEBUG := B=$(B)/debug CFLAGS="-O1 -g -fno-omit-frame-pointer" \
         SAN="-fsanitize=address,undefined -fno-sanitize-recover=undefined"
debug:
	$(MAKE) $(DEBUG) all

run: all
	$(PROGRAM)

# The unit tests run twice, the second time under the sanitizers; scripts test the built program.
# All processors build, and then test.
PROCESSORS := $(shell nproc 2>/dev/null || echo 1)
ALL_PROCESSORS = $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(PROCESSORS))
test:
	$(MAKE) $(ALL_PROCESSORS) check-bins $(TRAINER) $(COSIM) $(SYSTOLIC_COSIM)
	$(MAKE) $(ALL_PROCESSORS) $(DEBUG) check-bins
	tests/run $(B) $(PROCESSORS)

.PHONY: check-bins
check-bins: all $(foreach r,$(TEST_ROOMS),$(call room_tests,$(r)))

# The RTL: lint, benches, and the engine beside the simulated RTL (tests/rtl/cosim.bash).
#   make cosim [SEED=1] [TOKENS=1] [VARIANT=bridge] [SIM=verilator|icarus] [SET="d_model=32 ..."]
SEED    ?= 1
TOKENS  ?= 1
VARIANT ?= bridge
SIM     ?= verilator icarus
STIMULUS ?= random:$(SEED)
.PHONY: rtl-lint rtl-test cosim mutants
rtl-lint:
	BUILD=$(abspath $(B)) bash tests/rtl/lint.sh
rtl-test: $(COSIM)
	BUILD=$(abspath $(B)) bash tests/rtl/benches.sh
cosim: $(PROGRAM) $(COSIM)
	@for sim in $(SIM); do printf '%-10s' $$sim; BUILD=$(abspath $(B)) tests/rtl/cosim.bash $$sim \
	  --variant $(VARIANT) --stimulus $(STIMULUS) --tokens $(TOKENS) $(SET:%=--set %) || exit 1; done
mutants: $(PROGRAM) $(COSIM)
	BUILD=$(abspath $(B)) tests/rtl/mutants.bash
$(COSIM): tests/rtl/cosim.c $(B)/cli/options.o $(B)/cli/cli.o $(call archives,$(DEPS_session))
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(NO_LTO) -o $@ $^ $(PKG_LIBS) -lm
$(SYSTOLIC_COSIM): tests/rtl/systolic_cosim.c $(call archives,$(DEPS_engine))
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(NO_LTO) -o $@ $^

# Fuzzing: one libFuzzer program per tests/fuzz/fuzz_NAME.c, SECONDS each, seeds in corpus/NAME.
SECONDS ?= 20
FUZZ_NAMES := $(patsubst tests/fuzz/fuzz_%.c,%,$(wildcard tests/fuzz/fuzz_*.c))
FUZZ_ROOMS := tensor num base
FUZZ_SAN   := -fsanitize=address,undefined -fno-sanitize-recover=undefined
fuzz:
	$(MAKE) B=$(B)/fuzz CC=clang CFLAGS="-O1 -g" SAN="$(FUZZ_SAN) -fsanitize=fuzzer-no-link" fuzz-bins
	set -e; for t in $(FUZZ_NAMES); do mkdir -p $(B)/fuzz/found/$$t; echo "fuzz $$t"; \
	  $(B)/fuzz/fuzz_$$t -max_total_time=$(SECONDS) -max_len=16384 -timeout=10 -rss_limit_mb=1024 \
	    -malloc_limit_mb=256 -verbosity=0 -artifact_prefix=$(B)/fuzz/ \
	    $(B)/fuzz/found/$$t tests/fuzz/corpus/$$t; done

.PHONY: fuzz-bins
fuzz-bins: $(FUZZ_NAMES:%=$(B)/fuzz_%)
$(B)/fuzz_%: tests/fuzz/fuzz_%.c tests/fuzz/fuzz.h $(call archives,$(FUZZ_ROOMS))
	$(CC) $(ALL_CFLAGS) -Itests -fsanitize=fuzzer -o $@ $< $(call archives,$(FUZZ_ROOMS)) $(PKG_LIBS) -lm

# The screens of tests/screens as they are now; review them with git diff.
golden: all
	ACCEPT=1 TOKSTEP=$(PROGRAM) bash tests/cli/screens.sh

lint:
	.ci/lint $(ALL_CFLAGS)

bench: all
	$(PROGRAM) bench

# Trains the models of assets/ again: the same files, byte for byte (assets/README.md).
WORDS ?= /usr/share/dict/american-english
$(TRAINER): $(call archives,$(DEPS_train))
	$(CC) $(CFLAGS) $(SAN) $(LDFLAGS) -o $@ $^ $(PKG_LIBS) -lm

.PHONY: model
model: $(TRAINER)
	$(TRAINER) --preset repaired -o assets/words-repaired.safetensors $(WORDS)
	$(TRAINER) --preset minus8 -o assets/words-minus8.safetensors $(WORDS)
	$(TRAINER) --twin assets/words-repaired.safetensors -o assets/words.w2.t2
	cd assets && sha256sum -c sha256sums

# The reference of the Lua API, from the program itself.
.PHONY: api
api: all
	$(PROGRAM) lua --api > lua/API.md

install: all
	install -Dm755 $(PROGRAM) $(DESTDIR)$(PREFIX)/bin/tokstep
	for d in lua lessons rtl assets; do \
	  find $$d -type f -exec install -Dm644 {} $(DESTDIR)$(PREFIX)/share/tokstep/{} \; ; done

clean:
	rm -rf $(B)

-include $(shell find $(B) -name "*.d" 2>/dev/null)

endif
