/* cvc5 as an SMT-LIB process: commands on standard input, answers on standard output.
 *
 * The wheel of cvc5 brings libraries and a Python module, but no program. This is the program: `setup.sh` compiles it against the
 * libraries. It starts in 5 ms; a Python interpreter with the module takes 70 ms. The parser of cvc5 executes commands, so this
 * driver cuts the input into commands and passes them on. After an `(error "...")` it ends with status 1 (`:error-behavior
 * immediate-exit`). `(reset)` makes a new solver, so that the options in force are those of the start again. Arguments are options of
 * cvc5, for example `--nl-cov`. The process is killed when the one that started it ends, also in the middle of a computation.
 */

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

/* What is used of cvc5/c/cvc5.h and cvc5/c/cvc5_parser.h of version 1.4; the wheel has no headers. */
typedef struct Cvc5TermManager Cvc5TermManager;
typedef struct Cvc5 Cvc5;
typedef struct Cvc5SymbolManager Cvc5SymbolManager;
typedef struct Cvc5InputParser Cvc5InputParser;
typedef struct cvc5_cmd_t *Cvc5Command;
enum { CVC5_INPUT_LANGUAGE_SMT_LIB_2_6 = 0 };
Cvc5TermManager *cvc5_term_manager_new(void);
void cvc5_term_manager_delete(Cvc5TermManager *);
Cvc5 *cvc5_new(Cvc5TermManager *);
void cvc5_delete(Cvc5 *);
void cvc5_set_option(Cvc5 *, const char *, const char *);
Cvc5SymbolManager *cvc5_symbol_manager_new(Cvc5TermManager *);
void cvc5_symbol_manager_delete(Cvc5SymbolManager *);
Cvc5InputParser *cvc5_parser_new(Cvc5 *, Cvc5SymbolManager *);
void cvc5_parser_delete(Cvc5InputParser *);
void cvc5_parser_set_inc_str_input(Cvc5InputParser *, int, const char *);
void cvc5_parser_append_inc_str_input(Cvc5InputParser *, const char *);
Cvc5Command cvc5_parser_next_command(Cvc5InputParser *, const char **);
const char *cvc5_cmd_invoke(Cvc5Command, Cvc5 *, Cvc5SymbolManager *);
const char *cvc5_cmd_get_name(Cvc5Command);

/* A solver with its parser. */
struct session {
    Cvc5TermManager *terms;
    Cvc5 *solver;
    Cvc5SymbolManager *symbols;
    Cvc5InputParser *parser;
};

/* A text that grows. */
struct text {
    char *bytes;
    size_t length, capacity;
};

static void append(struct text *text, char byte)
{
    if (text->length + 1 >= text->capacity) {
        text->capacity = text->capacity ? 2 * text->capacity : 1 << 16;
        text->bytes = realloc(text->bytes, text->capacity);
        if (!text->bytes) {
            fputs("cvc5-stdio: out of memory\n", stderr);
            exit(1);
        }
    }
    text->bytes[text->length++] = byte;
    text->bytes[text->length] = 0;
}

/* Reads a command, up to its last bracket; false at the end of the input. */
static bool read_command(struct text *command)
{
    int depth = 0, byte;
    command->length = 0;
    while ((byte = getchar_unlocked()) != EOF) {
        if (byte == ';') {
            while (byte != '\n' && byte != EOF)
                byte = getchar_unlocked();
            if (depth > 0)
                append(command, '\n');
            continue;
        }
        if (depth == 0 && byte != '(')
            continue;
        append(command, (char)byte);
        if (byte == '"' || byte == '|') {
            int quote = byte;
            do {
                byte = getchar_unlocked();
                if (byte == EOF)
                    return true;
                append(command, (char)byte);
            } while (byte != quote);
        } else if (byte == '(') {
            depth++;
        } else if (byte == ')' && --depth == 0) {
            return true;
        }
    }
    return depth > 0;
}

/* Answers as one line, with quotes that do not end it. */
static void answer_error(const char *message)
{
    fputs("(error \"", stdout);
    for (; *message; message++)
        putchar(*message == '"' ? '\'' : *message == '\n' ? ' ' : *message);
    fputs("\")\n", stdout);
}

static struct session start(int count, char **options)
{
    struct session session;
    session.terms = cvc5_term_manager_new();
    session.solver = cvc5_new(session.terms);
    cvc5_set_option(session.solver, "incremental", "true");
    for (int index = 0; index < count; index++) {
        char *name = options[index] + strspn(options[index], "-");
        char *equals = strchr(name, '=');
        char *copy = equals ? strndup(name, (size_t)(equals - name)) : strdup(name);
        cvc5_set_option(session.solver, copy, equals ? equals + 1 : "true");
        free(copy);
    }
    session.symbols = cvc5_symbol_manager_new(session.terms);
    session.parser = cvc5_parser_new(session.solver, session.symbols);
    /* Once for all commands: it fills the tables of the parser, which takes longer than most commands do. */
    cvc5_parser_set_inc_str_input(session.parser, CVC5_INPUT_LANGUAGE_SMT_LIB_2_6, "stdin");
    return session;
}

static void end(struct session *session)
{
    cvc5_parser_delete(session->parser);
    cvc5_symbol_manager_delete(session->symbols);
    cvc5_delete(session->solver);
    cvc5_term_manager_delete(session->terms);
}

/* What came of a command. */
enum outcome { DONE, RESET, EXIT, FAILED };

/* Executes a text that is one command. */
static enum outcome execute(struct session *session, const char *text)
{
    const char *error = NULL;
    cvc5_parser_append_inc_str_input(session->parser, text);
    Cvc5Command command = cvc5_parser_next_command(session->parser, &error);
    if (error) {
        answer_error(error);
        return FAILED;
    }
    if (!command)
        return DONE;
    const char *name = cvc5_cmd_get_name(command);
    if (!strcmp(name, "reset"))
        return RESET;
    if (!strcmp(name, "exit"))
        return EXIT;
    const char *answer = cvc5_cmd_invoke(command, session->solver, session->symbols);
    fputs(answer, stdout);
    return strncmp(answer, "(error", 6) ? DONE : FAILED;
}

int main(int argc, char **argv)
{
    /* If the parent has ended already, the input has too. */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    struct session session = start(argc - 1, argv + 1);
    struct text command = {0};
    enum outcome outcome = DONE;
    while (outcome <= RESET && read_command(&command)) {
        outcome = execute(&session, command.bytes);
        fflush(stdout);
        if (outcome == RESET) {
            end(&session);
            session = start(argc - 1, argv + 1);
        }
    }
    fflush(stdout);
    /* Freeing the terms of a large session one by one is time nobody waits for. */
    _Exit(outcome == FAILED);
}
