"""libc_table.py - makes a program that calls each function of a table with a
heap buffer, and what %expect has to find of each buffer: libc_table.py OUT.c.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

A line: function | what is in the buffer | calls | reads writes from to
The buffer is S, 16 bytes into its chunk; from and to count from there.  A text
is in the buffer with its end, unseen; 'w:' puts wide characters there."""
import re
import sys

TABLE = r"""
access | /tmp | access(s, 0) | 1 0 0 5
chdir | . | chdir(s) | 1 0 0 2
mkdir | /dev/null/x | mkdir(s, 0) | 1 0 0 12
rmdir | /dev/null/x | rmdir(s) | 1 0 0 12
unlink | /dev/null/x | unlink(s) | 1 0 0 12
remove | /dev/null/x | remove(s) | 1 0 0 12
chmod | /dev/null/x | chmod(s, 0) | 1 0 0 12
chown | /dev/null/x | chown(s, 0, 0) | 1 0 0 12
truncate | /dev/null/x | truncate(s, 0) | 1 0 0 12
creat | /dev/null/x | creat(s, 0) | 1 0 0 12
open | /dev/null | close(open(s, O_RDONLY)) | 1 0 0 10
open_mode | /dev/null/x | open(s, O_RDWR \| O_CREAT, 0600) | 1 0 0 12
openat | /dev/null | close(openat(AT_FDCWD, s, O_RDONLY)) | 1 0 0 10
opendir | /dev/null | opendir(s) | 1 0 0 10
fopen | /dev/null | fclose(fopen(s, "r")) | 1 0 0 10
fopen_mode | r | fclose(fopen("/dev/null", s)) | 1 0 0 2
stat | / | struct stat x; stat(s, &x) | 1 0 0 2
lstat | / | struct stat x; lstat(s, &x) | 1 0 0 2
stat_out | | stat("/", (struct stat *)s) | 0 1 0 sizeof(struct stat)
stat_fails | | stat("/dev/null/x", (struct stat *)s) | 0 0 0 0
fstat | | fstat(0, (struct stat *)s) | 0 1 0 sizeof(struct stat)
fstatat | / | struct stat x; fstatat(AT_FDCWD, s, &x, 0) | 1 0 0 2
statx | / | struct statx x; statx(AT_FDCWD, s, 0, 0, &x) | 1 0 0 2
statfs | / | struct statfs x; statfs(s, &x) | 1 0 0 2
rename_from | /dev/null/x | rename(s, "/dev/null/y") | 1 0 0 12
rename_to | /dev/null/x | rename("/dev/null/y", s) | 1 0 0 12
link | /dev/null/x | link("/dev/null/y", s) | 1 0 0 12
symlink | /dev/null/x | symlink("y", s) | 1 0 0 12
readlink | /proc/self/exe | char x[9]; readlink(s, x, 9) | 1 0 0 15
readlink_out | | readlink("/proc/self/exe", s, 5) | 0 1 0 5
readlinkat_out | | readlinkat(AT_FDCWD, "/proc/self/exe", s, 5) | 0 1 0 5
utimensat | /dev/null/x | utimensat(AT_FDCWD, s, 0, 0) | 1 0 0 12
getcwd | | chdir("/"); getcwd(s, 60) | 0 1 0 2
realpath | / | free(realpath(s, 0)) | 1 0 0 2
glob | /dev/nul[l] | glob_t g; glob(s, 0, 0, &g); globfree(&g) | 1 0 0 12
fnmatch | *z | fnmatch(s, "xyz", 0) | 1 0 0 3
fnmatch_text | xyz | fnmatch("*z", s, 0) | 1 0 0 4
mkstemp | /dev/null/XXXXXX | mkstemp(s) | 1 0 0 17
system | exit 0 | system(s) | 1 0 0 7
execv | /dev/null/x | char *a[] = {s, 0}; execv("/dev/null/x", a) | 1 0 0 12
execv_path | /dev/null/x | char *a[] = {0}; execv(s, a) | 1 0 0 12
execv_array | | char **a = (char **)s; fill(s, &zero, 8); execv("/dev/null/x", a) | 1 0 0 8
execl | /dev/null/x | execl("/dev/null/x", "x", s, (char *)0) | 1 0 0 12
getenv | NOT_SET | getenv(s) | 1 0 0 8
setenv | A_NAME | setenv(s, "x", 1) | 1 0 0 7
setenv_value | value | setenv("A_NAME", s, 1) | 1 0 0 6
unsetenv | A_NAME | unsetenv(s) | 1 0 0 7
setlocale | C | setlocale(LC_ALL, s) | 1 0 0 2
gettext | hello | gettext(s) | 1 0 0 6
sscanf | 12 34 | int x; sscanf(s, "%d", &x) | 1 0 0 6
sscanf_fails | ab | int x; sscanf(s, "%d", &x) | 1 0 0 3
sscanf_out | | sscanf("hello", "%20s", s) | 0 1 0 6
strtok | ab,cd | strtok(s, ",") | 1 1 0 3
strtok_twice | ab,cd | strtok(s, ","); strtok(0, ",") | 2 1 0 6
strtok_r | ab,cd | char *x; strtok_r(s, ",", &x) | 1 1 0 3
strtok_r_none | ,, | char *x; strtok_r(s, ",", &x) | 1 0 0 3
strtok_r_set | ,; | char *x, y[] = "a;b"; strtok_r(y, s, &x) | 1 0 0 3
strsep | ab,cd | char *x = s; strsep(&x, ",") | 1 1 0 3
strsep_end | abcd | char *x = s; strsep(&x, ",") | 1 0 0 5
memccpy | | memccpy(s, "ab,cd", ',', 6) | 0 1 0 3
memccpy_from | ab,cd | memccpy(bytes, s, ',', 6) | 1 0 0 3
bcopy | | bcopy("hello", s, 5) | 0 1 0 5
bcopy_from | hello | bcopy(s, bytes, 5) | 1 0 0 5
explicit_bzero | | explicit_bzero(s, 10) | 0 1 0 10
swab | | swab("abcdef", s, 5) | 0 1 0 4
memfrob | hello | memfrob(s, 5) | 1 1 0 5
strverscmp | a1 | sink = strverscmp(s, "a2") | 1 0 0 3
strcasecmp_l | ab | locale_t l = newlocale(LC_ALL_MASK, "C", 0); sink = strcasecmp_l(s, "AB", l) | 1 0 0 3
basename | /a/b | basename(s) | 1 0 0 5
a64l | ab | sink = a64l(s) | 1 0 0 3
nan | 1 | real = nan(s) | 1 0 0 2
strftime | | strftime(s, 30, "%Y", &a_time) | 0 1 0 5
strftime_format | %Y | char x[9]; strftime(x, 9, s, &a_time) | 1 0 0 3
strftime_time | | char x[9]; memset(s, 0, sizeof a_time); strftime(x, 9, "%Y", (struct tm *)s) | 1 1 0 sizeof(struct tm)
mktime | | memset(s, 0, sizeof a_time); timegm((struct tm *)s) | 1 2 0 sizeof(struct tm)
gettimeofday | | gettimeofday((struct timeval *)s, 0) | 0 1 0 16
clock_gettime | | clock_gettime(0, (struct timespec *)s) | 0 1 0 16
nanosleep | | memset(s, 0, 16); nanosleep((struct timespec *)s, 0) | 1 1 0 16
getrlimit | | getrlimit(RLIMIT_CORE, (struct rlimit *)s) | 0 1 0 16
fcntl_lock | | memset(s, 0, 32); fcntl(-1, F_SETLK, s) | 1 1 0 sizeof(struct flock)
fcntl_number | | fcntl(-1, F_SETFL, s) | 0 0 0 0
fcntl_owner | | fcntl(fd, F_GETOWN_EX, s) | 0 1 0 8
getrusage | | getrusage(0, (struct rusage *)s) | 0 1 0 sizeof(struct rusage)
pipe | | pipe((int *)s); close(((volatile int *)s)[0]); | 1 1 0 8
socketpair | | socketpair(AF_UNIX, SOCK_STREAM, 0, (int *)s) | 0 1 0 8
select | | memset(s, 0, 128); struct timeval x = {0, 0}; select(65, (fd_set *)s, 0, 0, &x) | 1 2 0 128
poll | | memset(s, 0, 8); ((volatile int *)s)[0] = -1; poll((struct pollfd *)s, 1, 0) | 1 3 0 8
epoll_ctl | | memset(s, 0, 12); epoll_ctl(-1, EPOLL_CTL_ADD, 0, (struct epoll_event *)s) | 1 1 0 12
setsockopt | | memset(s, 0, 4); setsockopt(-1, SOL_SOCKET, SO_REUSEADDR, s, 4) | 1 1 0 4
sigaddset | | sigemptyset((sigset_t *)s); sigaddset((sigset_t *)s, 1) | 1 2 0 sizeof(sigset_t)
gethostname | | gethostname(s, 90); | 0 1 0 (int)strlen(host) + 1
inet_pton | 1.2.3.4 | char x[4]; inet_pton(AF_INET, s, x) | 1 0 0 8
inet_pton_out | | inet_pton(AF_INET, "1.2.3.4", s) | 0 1 0 4
inet_ntop | | inet_ntop(AF_INET, "\1\2\3\4", s, 40) | 0 1 0 8
inet_aton | 1.2.3.4 | struct in_addr x; inet_aton(s, &x) | 1 0 0 8
inet_addr | 1.2.3.4 | inet_addr(s) | 1 0 0 8
arc4random | | getentropy(s, 16) | 0 1 0 16
initstate | | initstate(1, s, 64); static char x[64]; initstate(1, x, 64) | 1 1 0 64
erand48 | | memset(s, 0, 6); erand48((unsigned short *)s) | 1 2 0 6
lfind | abcd | size_t n = 4; lfind("x", s, &n, 1, by_byte) | 1 0 0 4
frexp | | sink = frexp(3.0, (int *)s) | 0 1 0 4
modf | | sink = modf(3.5, (double *)s) | 0 1 0 8
sincos | | sincos(1.0, (double *)s, &real) | 0 1 0 8
remquo | | sink = remquo(3.0, 2.0, (int *)s) | 0 1 0 4
printf_s | hello | fprintf(null, "%s", s) | 1 0 0 6
printf_precision | hello | fprintf(null, "%.3s", s) | 1 0 0 3
printf_star | hello | fprintf(null, "%*.*s", 9, 3, s) | 1 0 0 3
printf_negative | hello | fprintf(null, "%.*s", -1, s) | 1 0 0 6
printf_after | hello | fprintf(null, "%d %5.2f %Lf %c %p %ld %s", 1, 2.0, 3.0L, 'c', s, 4L, s) | 1 0 0 6
printf_many | hello | fprintf(null, "%f%f%f%f%f%f%f%f%f%f%d%d%d%d%d%s", 0., 1., 2., 3., 4., 5., 6., 7., 8., 9., 1, 2, 3, 4, 5, s) | 1 0 0 6
printf_numbered | hello | fprintf(null, "%2$s %1$d", 1, s) | 1 0 0 6
printf_numbered_all | hello | fprintf(null, "%3$.*1$s %2$f %4$Lf %5$d", 2, 1.0, s, 2.0L, 1) | 1 0 0 2
printf_numbered_n | | dprintf(fd, "%2$s%1$hhn", s, "x") | 0 1 0 1
printf_numbered_wide | hello | wchar_t x[9]; swprintf(x, 9, L"%2$s%1$d", 1, s) | 1 0 0 6
printf_format | %d | fprintf(null, s, 1) | 1 0 0 3
printf_n | | char *volatile f = "a%nb"; dprintf(fd, "a%hhnb", s) | 0 1 0 1
printf_ls | w:ab | fprintf(null, "%ls", (wchar_t *)s) | 1 0 0 12
snprintf | | snprintf(s, 3, "%d", 12345) | 0 1 0 3
snprintf_0 | | snprintf(s, 0, "%d", 12345) | 0 0 0 0
sprintf | | sprintf(s, "%s", "abc") | 0 1 0 4
asprintf | hello | char *x; asprintf(&x, "%s", s); free(x) | 1 0 0 6
dprintf | hello | dprintf(fd, "%s", s) | 1 0 0 6
swprintf | | swprintf((wchar_t *)s, 10, L"%d", 12) | 0 1 0 12
swprintf_s | hello | wchar_t x[9]; swprintf(x, 9, L"%s", s) | 1 0 0 6
syslog | hello | openlog("x", 0, 0); syslog(LOG_DEBUG, "%s", s) | 1 0 0 6
fputs | hello | fputs(s, null) | 1 0 0 6
fread | | fread(s, 1, 20, zeros) | 0 1 0 20
fgets | | fgets(s, 9, status) | 0 1 0 9
fread_unlocked | | fread_unlocked(s, 1, 20, zeros) | 0 1 0 20
fwrite_unlocked | hello | volatile size_t five = 5; fwrite_unlocked(s, 1, five, null) | 1 0 0 5
read | | read(zero_fd, s, 20) | 0 1 0 20
mbstowcs | abc | wchar_t x[9]; mbstowcs(x, s, 9) | 1 0 0 4
mbstowcs_out | | mbstowcs((wchar_t *)s, "abc", 9) | 0 1 0 16
wcstombs_out | | wcstombs(s, L"abc", 9) | 0 1 0 4
mbsrtowcs | abc | const char *x = s; wchar_t y[9]; mbsrtowcs(y, &x, 2, 0) | 1 0 0 2
mbrtowc | abc | wchar_t x; mbrtowc(&x, s, 9, 0) | 1 0 0 1
wcscpy | | wcscpy((wchar_t *)s, L"abc") | 0 1 0 16
wcsncpy | | wcsncpy((wchar_t *)s, L"abc", 9) | 0 1 0 36
wcslen | w:abc | sink = wcslen((wchar_t *)s) | 1 0 0 16
wcscmp | w:abc | sink = wcscmp((wchar_t *)s, L"abc") | 1 0 0 16
wcschr | w:abc | sink = (long)wcschr((wchar_t *)s, L'b') | 1 0 0 8
wcsstr | w:abc | sink = (long)wcsstr((wchar_t *)s, L"bc") | 1 0 0 12
wcstol | w:12x | sink = wcstol((wchar_t *)s, 0, 10) | 1 0 0 12
wcscat | w:ab | wcscat((wchar_t *)s, L"cd") | 1 1 0 20
wmemset | | wmemset((wchar_t *)s, L'x', 5) | 0 1 0 20
wmemcpy | | wmemcpy((wchar_t *)s, L"abcdef", 5) | 0 1 0 20
wmemcmp | w:abc | sink = wmemcmp((wchar_t *)s, L"abc", 3) | 1 0 0 12
sem | | sem_init((sem_t *)s, 0, 1); sem_post((sem_t *)s) | 1 2 0 sizeof(sem_t)
mutex | | pthread_mutex_init((void *)s, 0); pthread_mutex_lock((void *)s); pthread_mutex_unlock((void *)s) | 2 3 0 sizeof(pthread_mutex_t)
cond | | pthread_cond_init((void *)s, 0); pthread_cond_signal((void *)s) | 1 2 0 sizeof(pthread_cond_t)
rwlock | | pthread_rwlock_init((void *)s, 0); pthread_rwlock_rdlock((void *)s); pthread_rwlock_unlock((void *)s) | 2 3 0 sizeof(pthread_rwlock_t)
attributes | | pthread_attr_init((void *)s); pthread_attr_destroy((void *)s) | 1 2 0 sizeof(pthread_attr_t)
once | | memset(s, 0, 4); pthread_once((void *)s, nothing) | 1 2 0 4
argz_add | | char *x = 0; size_t n = 0; fill(s, "ab", 3); argz_add(&x, &n, s); free(x) | 1 0 0 3
argz_create | | char **v = (char **)s, *x; size_t n; char *list[] = {"a", "b", 0}; fill(s, list, sizeof list); argz_create(v, &x, &n); free(x) | 1 0 0 24
argz_extract | | argz_extract("a\0b", 4, (char **)s) | 0 1 0 24
envz_add | ab=cd | char *x = 0; size_t n = 0; envz_add(&x, &n, s, "x"); free(x) | 1 0 0 6
obstack_printf | hello | obstack_printf(&stack, "%s", s) | 1 0 0 6
obstack_printf_format | %d | obstack_printf(&stack, s, 1) | 1 0 0 3
asprintf_other | hello | char *x; __asprintf(&x, "%s", s); free(x) | 1 0 0 6
stpncpy_other | hello | char x[9]; __stpncpy(x, s, 9) | 1 0 0 6
strptime_l | 2001 | struct tm x; strptime_l(s, "%Y", &x, newlocale(LC_ALL_MASK, "C", 0)) | 1 0 0 5
strptime_l_out | | strptime_l("2001", "%Y", (struct tm *)s, newlocale(LC_ALL_MASK, "C", 0)) | 0 1 0 sizeof(struct tm)
re_search | abcd | struct re_pattern_buffer x = {0}; re_compile_pattern("c", 1, &x); sink = re_search(&x, s, 4, 0, 4, 0); regfree(&x) | 1 0 0 4
re_compile | a.c | struct re_pattern_buffer x = {0}; re_compile_pattern(s, 3, &x); regfree(&x) | 1 0 0 3
regexec | abcd | regex_t x; regcomp(&x, "c", 0); sink = regexec(&x, s, 0, 0, 0); regfree(&x) | 1 0 0 5
regcomp | a.c | regex_t x; regcomp(&x, s, 0); regfree(&x) | 1 0 0 4
regexec_out | | regex_t x; regcomp(&x, "c", 0); sink = regexec(&x, "abc", 1, (regmatch_t *)s, 0); regfree(&x) | 0 1 0 8
getutmp | | struct utmpx x = {0}; getutmp(&x, (struct utmp *)s) | 0 1 0 sizeof(struct utmp)
login_name | abc | logout(s) | 1 0 0 4
updwtmp | /dev/null/x | struct utmp x = {0}; updwtmp(s, &x) | 1 0 0 12
adjtimex | | memset(s, 0, sizeof(struct timex)); adjtimex((struct timex *)s) | 1 2 0 sizeof(struct timex)
ntp_gettime | | ntp_gettime((struct ntptimeval *)s) | 0 1 0 sizeof(struct ntptimeval)
getcpu | | getcpu((unsigned *)s, 0) | 0 1 0 4
getdents | | int d = open("/dev", O_RDONLY); sink = getdents64(d, s, 300) == 0; close(d) | 0 1 0 getdents_size()
aio_write | hello | struct aiocb x = {.aio_fildes = fd, .aio_buf = s, .aio_nbytes = 5}; aio_write(&x); while (aio_error(&x) == EINPROGRESS) { } aio_return(&x) | 1 0 0 5
aio_read | | struct aiocb x = {.aio_fildes = zero_fd, .aio_buf = s, .aio_nbytes = 50}; aio_read(&x); while (aio_error(&x) == EINPROGRESS) { } aio_return(&x) | 0 1 0 50
lio_listio | hello | struct aiocb x = {.aio_fildes = fd, .aio_buf = s, .aio_nbytes = 5, .aio_lio_opcode = LIO_WRITE}, *l[] = {&x}; lio_listio(LIO_WAIT, l, 1, 0); aio_return(&x) | 1 0 0 5
mq_open | /x_none | mq_open(s, O_RDONLY) | 1 0 0 8
fanotify_mark | /dev/null | fanotify_mark(-1, FAN_MARK_ADD, FAN_OPEN, AT_FDCWD, s) | 1 0 0 10
fsopen | nothing | fsopen(s, 0) | 1 0 0 8
dlopen | libm.so.6 | dlclose(dlopen(s, RTLD_NOW)) | 1 0 0 10
dlmopen | ./none.so | sink = dlmopen(LM_ID_BASE, s, RTLD_NOW) == 0 | 1 0 0 10
dlsym | getpid | sink = dlsym(RTLD_DEFAULT, s) == 0 | 1 0 0 7
innetgr | a | innetgr(s, "b", "c", "d") | 1 0 0 2
res_dnok | a.b | res_dnok(s) | 1 0 0 4
res_mkquery | a.b | unsigned char x[300]; res_mkquery(0, s, 1, 1, 0, 0, 0, x, 300) | 1 0 0 4
res_mkquery_out | | res_mkquery(0, "a.b", 1, 1, 0, 0, 0, (unsigned char *)s, 300) | 0 1 0 21
ns_put16 | | ns_put16(1, (unsigned char *)s) | 0 1 0 2
ns_get32 | | memset(s, 0, 4); sink = ns_get32((unsigned char *)s) | 1 1 0 4
ns_pton | | ns_name_pton("a.bc", (unsigned char *)s, 99) | 0 1 0 6
ns_samename | a.b | ns_samename(s, "a.b") | 1 0 0 4
nrand48_r | | memset(s, 0, 6); struct drand48_data x; long y; srand48_r(1, &x); nrand48_r((unsigned short *)s, &x, &y) | 1 2 0 6
srand48_r | | srand48_r(1, (struct drand48_data *)s) | 0 1 0 sizeof(struct drand48_data)
initstate_r | | static struct random_data x; initstate_r(1, s, 64, &x) | 1 1 0 64
setvbuf | | FILE *f = fopen("/dev/null", "w"); setvbuf(f, s, _IOFBF, 64); fputs("a", f); fclose(f) | 1 1 0 64
setvbuf_none | | FILE *f = fopen("/dev/null", "w"); setvbuf(f, s, _IONBF, 64); fputs("a", f); fclose(f) | 1 1 0 64
setbuffer | | FILE *f = fopen("/dev/null", "w"); setbuffer(f, s, 64); fputs("a", f); fclose(f) | 1 1 0 64
fmemopen | | FILE *f = fmemopen(s, 64, "w+"); fputs("hello", f); fclose(f) | 1 1 0 64
fopencookie | w | fclose(fopencookie(NULL, s, (cookie_io_functions_t){0})) | 1 0 0 2
fmemopen_null | | fclose(fmemopen(NULL, 64, "w+")) | 0 0 0 0
vmsplice | hello | int x[2]; pipe(x); struct iovec y = {s, 5}; vmsplice(x[1], &y, 1, 0); close(x[0]); close(x[1]) | 1 0 0 5
insque | | long prev[2] = {0}; insque(s, prev); | 0 1 0 16
alphasort | | struct dirent x = {.d_name = "x"}; const struct dirent *y = &x, **z = (const struct dirent **)s; fill(s, &y, 8); sink = alphasort(z, &y) | 1 0 0 8
putgrent | abc | struct group x = {.gr_name = s, .gr_passwd = "x"}; putgrent(&x, null) | 1 0 0 4
putpwent | | struct passwd x = {"a", "b", 1, 1, "c", "d", "e"}; fill(s, &x, sizeof x); putpwent((struct passwd *)s, null) | 1 0 0 sizeof(struct passwd)
sgetspent | a:b:1:1:1:1:1:1: | sgetspent(s) | 1 0 0 17
sgetspent_r | | struct spwd x, *y; sgetspent_r("a:b:1:1:1:1:1:1:", &x, s, 90, &y) | 0 1 0 4
getrpcbynumber_r | | struct rpcent x, *y; char z[90]; getrpcbynumber_r(-1, (struct rpcent *)s, z, 90, &y) | 0 0 0 0
fegetexceptflag | | fegetexceptflag((fexcept_t *)s, FE_ALL_EXCEPT) | 0 1 0 sizeof(fexcept_t)
fesetenv | | fenv_t x; fegetenv(&x); fill(s, &x, sizeof x); fesetenv((fenv_t *)s) | 1 0 0 sizeof(fenv_t)
mutexattr | | memset(s, 0, sizeof(pthread_mutexattr_t)); pthread_mutexattr_setrobust_np((void *)s, 0) | 1 2 0 sizeof(pthread_mutexattr_t)
default_attr | | pthread_getattr_default_np((pthread_attr_t *)s) | 0 1 0 sizeof(pthread_attr_t)
writev | hello | struct iovec x = {s, 5}; writev(fd, &x, 1) | 1 0 0 5
writev_vector | | struct iovec x = {bytes, 5}; fill(s, &x, sizeof x); writev(fd, (struct iovec *)s, 1) | 1 0 0 16
readv | | struct iovec x = {s, 5}; readv(zero_fd, &x, 1) | 0 1 0 5
preadv2 | | struct iovec x = {s, 5}; preadv2(zero_fd, &x, 1, 0, 0) | 0 1 0 5
preadv64v2 | | struct iovec x = {s, 5}; preadv64v2(zero_fd, &x, 1, 0, 0) | 0 1 0 5
pwritev64v2 | hello | struct iovec x = {s, 5}; pwritev64v2(fd, &x, 1, 0, 0) | 1 0 0 5
send | hello | send(pair[0], s, 5, 0); recv(pair[1], bytes, 5, 0) | 1 0 0 5
recv | | send(pair[0], "hello", 5, 0); recv(pair[1], s, 9, 0) | 0 1 0 5
recvfrom | | send(pair[0], "hello", 5, 0); recvfrom(pair[1], s, 9, 0, 0, 0) | 0 1 0 5
sendmsg | hello | struct iovec x = {s, 5}; struct msghdr m = {.msg_iov = &x, .msg_iovlen = 1}; sendmsg(pair[0], &m, 0); recv(pair[1], bytes, 5, 0) | 1 0 0 5
recvmsg | | struct iovec x = {s, 5}; struct msghdr m = {.msg_iov = &x, .msg_iovlen = 1}; send(pair[0], "hello", 5, 0); recvmsg(pair[1], &m, 0) | 0 1 0 5
sendmmsg | hello | struct iovec x = {s, 5}; struct mmsghdr m = {{.msg_iov = &x, .msg_iovlen = 1}}; sendmmsg(pair[0], &m, 1, 0); recv(pair[1], bytes, 5, 0) | 1 0 0 5
recvmmsg | | struct iovec x = {s, 5}; struct mmsghdr m = {{.msg_iov = &x, .msg_iovlen = 1}}; send(pair[0], "hello", 5, 0); recvmmsg(pair[1], &m, 1, 0, 0) | 0 1 0 5
getsockopt | | socklen_t n = 4; getsockopt(pair[0], SOL_SOCKET, SO_TYPE, s, &n) | 0 1 0 4
getsockname | | socklen_t n = 90; getsockname(pair[0], (struct sockaddr *)s, &n) | 0 1 0 2
epoll_wait | | int e = epoll_create1(0); struct epoll_event x = {EPOLLOUT}; epoll_ctl(e, EPOLL_CTL_ADD, pair[0], &x); epoll_wait(e, (struct epoll_event *)s, 5, 0); close(e) | 0 1 0 12
ioctl_out | | ioctl(pair[0], FIONREAD, s) | 0 1 0 4
ioctl_in | | memset(s, 0, 4); ioctl(pair[0], FIONBIO, s) | 1 1 0 4
process_vm_readv | | struct iovec x = {s, 5}, y = {bytes, 5}; process_vm_readv(getpid(), &x, 1, &y, 1, 0) | 0 1 0 5
process_vm_writev | hello | struct iovec x = {s, 5}, y = {bytes, 5}; process_vm_writev(getpid(), &x, 1, &y, 1, 0) | 1 0 0 5
process_vm_readv_there | hello | struct iovec x = {bytes, 5}, y = {s, 5}; process_vm_readv(getpid(), &x, 1, &y, 1, 0) | 1 0 0 5
process_vm_writev_there | | struct iovec x = {bytes, 5}, y = {s, 5}; process_vm_writev(getpid(), &x, 1, &y, 1, 0) | 0 1 0 5
getrandom | | getrandom(s, 9, 0) | 0 1 0 9
arc4random_buf | | arc4random_buf(s, 9) | 0 1 0 9
scandir | /dev/null | struct dirent **x; sink = scandir(s, &x, 0, 0) | 1 0 0 10
ftw | /dev/null | ftw(s, walked, 3) | 1 0 0 10
nftw | /dev/null | nftw(s, walked_too, 3, FTW_PHYS) | 1 0 0 10
wordexp | a b | wordexp_t x; wordexp(s, &x, 0); wordfree(&x) | 1 0 0 4
glob_pattern | /dev/nul* | glob_t x; glob(s, GLOB_NOSORT, 0, &x); globfree(&x) | 1 0 0 10
iconv_from | abc | iconv_t c = iconv_open("UTF-16LE", "UTF-8"); char o[9], *x = s, *y = o; size_t n = 3, m = 9; iconv(c, &x, &n, &y, &m); iconv_close(c) | 1 0 0 3
iconv_to | | iconv_t c = iconv_open("UTF-16LE", "UTF-8"); char *x = "abc", *y = s; size_t n = 3, m = 9; iconv(c, &x, &n, &y, &m); iconv_close(c) | 0 1 0 6
getaddrinfo | 127.0.0.1 | struct addrinfo h = {.ai_flags = AI_NUMERICHOST}, *x; getaddrinfo(s, 0, &h, &x) == 0 ? freeaddrinfo(x) : (void)0 | 1 0 0 10
getnameinfo | | struct sockaddr_in x = {.sin_family = AF_INET}; getnameinfo((struct sockaddr *)&x, sizeof x, s, 90, 0, 0, NI_NUMERICHOST) | 0 1 0 8
gethostbyname | 127.0.0.1 | sink = gethostbyname(s) == 0 | 1 0 0 10
gethostbyname2 | 127.0.0.1 | sink = gethostbyname2(s, AF_INET) == 0 | 1 0 0 10
gethostbyname_r | 127.0.0.1 | struct hostent x, *y; char z[99]; int e; gethostbyname_r(s, &x, z, 99, &y, &e) | 1 0 0 10
gethostbyname2_r | 127.0.0.1 | struct hostent x, *y; char z[99]; int e; gethostbyname2_r(s, AF_INET, &x, z, 99, &y, &e) | 1 0 0 10
hsearch | key | ENTRY x = {s, 0}; hcreate(9); hsearch(x, FIND); hdestroy() | 1 0 0 4
qsort | | fill(s, "cab", 3); qsort(s, 3, 1, by_byte) | 1 1 0 3
qsort_r | | fill(s, "cab", 3); qsort_r(s, 3, 1, by_byte_too, 0) | 1 1 0 3
getopt_text | ab | char *v[] = {"x", "-a", 0}; optind = 1; getopt(2, v, s) | 1 0 0 3
getopt_long_text | ab | char *v[] = {"x", "-a", 0}; optind = 1; getopt_long(2, v, s, 0, 0) | 1 0 0 3
readv_list | | struct iovec x = {bytes, 5}; fill(s, &x, sizeof x); readv(zero_fd, (struct iovec *)s, 1) | 1 0 0 sizeof(struct iovec)
preadv_list | | struct iovec x = {bytes, 5}; fill(s, &x, sizeof x); preadv(zero_fd, (struct iovec *)s, 1, 0) | 1 0 0 sizeof(struct iovec)
preadv64_list | | struct iovec x = {bytes, 5}; fill(s, &x, sizeof x); preadv64(zero_fd, (struct iovec *)s, 1, 0) | 1 0 0 sizeof(struct iovec)
preadv2_list | | struct iovec x = {bytes, 5}; fill(s, &x, sizeof x); preadv2(zero_fd, (struct iovec *)s, 1, 0, 0) | 1 0 0 sizeof(struct iovec)
recvmsg_list | | struct iovec x = {bytes, 5}; fill(s, &x, sizeof x); struct msghdr m = {.msg_iov = (struct iovec *)s, .msg_iovlen = 1}; send(pair[0], "hello", 5, 0); recvmsg(pair[1], &m, 0) | 1 0 0 sizeof(struct iovec)
recvmsg_head | | struct iovec x = {bytes, 5}; struct msghdr m = {.msg_iov = &x, .msg_iovlen = 1}; fill(s, &m, sizeof m); send(pair[0], "hello", 5, 0); recvmsg(pair[1], (struct msghdr *)s, 0) | 1 1 0 sizeof(struct msghdr)
recvmsg_nothing | | struct iovec x = {bytes, 5}; struct msghdr m = {.msg_iov = &x, .msg_iovlen = 1}; fill(s, &m, sizeof m); recvmsg(pair[1], (struct msghdr *)s, MSG_DONTWAIT) | 1 0 0 sizeof(struct msghdr)
recvmmsg_list | | struct iovec x = {bytes, 5}; fill(s, &x, sizeof x); struct mmsghdr m = {{.msg_iov = (struct iovec *)s, .msg_iovlen = 1}}; send(pair[0], "hello", 5, 0); recvmmsg(pair[1], &m, 1, 0, 0) | 1 0 0 sizeof(struct iovec)
sendto_address | | struct sockaddr_in x = {.sin_family = AF_INET, .sin_port = 9, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)}; fill(s, &x, sizeof x); int y = socket(AF_INET, SOCK_DGRAM, 0); sendto(y, "x", 1, 0, (struct sockaddr *)s, sizeof x); close(y) | 1 0 0 sizeof(struct sockaddr_in)
getnameinfo_address | | struct sockaddr_in x = {.sin_family = AF_INET}; fill(s, &x, sizeof x); char y[90]; getnameinfo((struct sockaddr *)s, sizeof x, y, 90, 0, 0, NI_NUMERICHOST) | 1 0 0 sizeof(struct sockaddr_in)
drand48_r | | double y; srand48_r(1, (struct drand48_data *)s); drand48_r((struct drand48_data *)s, &y) | 1 2 0 sizeof(struct drand48_data)
lrand48_r | | long y; srand48_r(1, (struct drand48_data *)s); lrand48_r((struct drand48_data *)s, &y) | 1 2 0 sizeof(struct drand48_data)
timer_create | | struct sigevent x = {.sigev_notify = SIGEV_NONE}; fill(s, &x, sizeof x); timer_t y; timer_create(CLOCK_REALTIME, (struct sigevent *)s, &y); timer_delete(y) | 1 0 0 sizeof(struct sigevent)
timer_settime | | struct sigevent x = {.sigev_notify = SIGEV_NONE}; struct itimerspec z = {0}; fill(s, &z, sizeof z); timer_t y; timer_create(CLOCK_REALTIME, &x, &y); timer_settime(y, 0, (struct itimerspec *)s, 0); timer_delete(y) | 1 0 0 sizeof(struct itimerspec)
timer_gettime | | struct sigevent x = {.sigev_notify = SIGEV_NONE}; timer_t y; timer_create(CLOCK_REALTIME, &x, &y); timer_gettime(y, (struct itimerspec *)s); timer_delete(y) | 0 1 0 sizeof(struct itimerspec)
timerfd_settime | | struct itimerspec z = {0}; fill(s, &z, sizeof z); int y = timerfd_create(CLOCK_REALTIME, 0); timerfd_settime(y, 0, (struct itimerspec *)s, 0); close(y) | 1 0 0 sizeof(struct itimerspec)
timerfd_gettime | | int y = timerfd_create(CLOCK_REALTIME, 0); timerfd_gettime(y, (struct itimerspec *)s); close(y) | 0 1 0 sizeof(struct itimerspec)
ether_aton | 1:2:3:4:5:6 | sink = ether_aton(s) == 0 | 1 0 0 12
ether_aton_r | 1:2:3:4:5:6 | struct ether_addr x; ether_aton_r(s, &x) | 1 0 0 12
ether_aton_r_out | | ether_aton_r("1:2:3:4:5:6", (struct ether_addr *)s) | 0 1 0 6
ether_ntoa | | fill(s, "abcdef", 6); sink = ether_ntoa((struct ether_addr *)s) == 0 | 1 0 0 6
ether_ntoa_r | | struct ether_addr x = {{1, 2, 3, 4, 5, 6}}; ether_ntoa_r(&x, s) | 0 1 0 12
ether_line | 1:2:3:4:5:6 x | struct ether_addr x; char y[9]; ether_line(s, &x, y) | 1 0 0 14
ether_line_host | | struct ether_addr x; ether_line("1:2:3:4:5:6 x", &x, s) | 0 1 0 2
getopt_arguments | -a | char *v[] = {"x", s, 0}; optind = 0; getopt(2, v, "a"); getopt(2, v, "a") | 1 0 0 3
getopt_long_options | | struct option x[] = {{"abc", 0, 0, 1}, {0}}; fill(s, x, sizeof x); char *v[] = {"x", 0}; optind = 0; getopt_long(1, v, "", (struct option *)s, 0) | 1 0 0 sizeof(struct option)
getopt_long_name | abc | struct option x[] = {{s, 0, 0, 1}, {0}}; char *v[] = {"x", 0}; optind = 0; getopt_long(1, v, "", x, 0) | 1 0 0 4
getpwnam | root | sink = getpwnam(s) == 0 | 1 0 0 5
sigprocmask | | memset(s, 0, sizeof(sigset_t)); sigprocmask(SIG_BLOCK, (sigset_t *)s, 0) | 1 1 0 sizeof(sigset_t)
sigaction | | memset(s, 0, sizeof(struct sigaction)); sigaction(SIGUSR1, (struct sigaction *)s, 0) | 1 1 0 sizeof(struct sigaction)
pthread_create | | pthread_create((pthread_t *)s, 0, just_return, 0); pthread_join(*(volatile pthread_t *)s, 0) | 1 1 0 8
tfind | | memset(s, 0, 8); sink = tfind("x", (void **)s, by_byte) == 0 | 1 1 0 8
sigaction_old | | sigaction(SIGUSR1, 0, (struct sigaction *)s) | 0 1 0 sizeof(struct sigaction)
pthread_attr_get | | pthread_attr_t x; pthread_attr_init(&x); pthread_attr_getstacksize(&x, (size_t *)s) | 0 1 0 8
uname | | uname((struct utsname *)s) | 0 1 0 sizeof(struct utsname)
sysinfo | | sysinfo((struct sysinfo *)s) | 0 1 0 sizeof(struct sysinfo)
times | | times((struct tms *)s) | 0 1 0 sizeof(struct tms)
isoc23_strtol | 12x | char *e; sink = __isoc23_strtol_or_not(s, &e) | 1 0 0 3
isoc99_sscanf | 12 34 | int x; __isoc99_sscanf(s, "%d", &x) | 1 0 0 6
strtod_l | 1.5x | sink = strtod_l(s, 0, newlocale(LC_ALL_MASK, "C", 0)) | 1 0 0 4
toupper_text | abc | sink = strcoll_l(s, "abd", newlocale(LC_ALL_MASK, "C", 0)) | 1 0 0 4
strxfrm_l | abc | char x[9]; sink = strxfrm_l(x, s, 9, newlocale(LC_ALL_MASK, "C", 0)) | 1 0 0 4
pread64 | | pread64(zero_fd, s, 9, 0) | 0 1 0 9
stat64 | / | struct stat64 x; stat64(s, &x) | 1 0 0 2
fopen64 | /dev/null | fclose(fopen64(s, "r")) | 1 0 0 10
key | | pthread_key_create((void *)s, 0) | 0 1 0 4
"""

HEAD = r"""
#define _GNU_SOURCE
#include <aio.h>
#include <argz.h>
#include <arpa/inet.h>
#include <arpa/nameser.h>
#include <dirent.h>
#include <dlfcn.h>
#include <envz.h>
#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <fnmatch.h>
#include <getopt.h>
#include <glob.h>
#include <ftw.h>
#include <grp.h>
#include <iconv.h>
#include <libintl.h>
#include <locale.h>
#include <math.h>
#include <mqueue.h>
#include <netdb.h>
#include <netinet/ether.h>
#include <netinet/in.h>
#include <obstack.h>
#include <poll.h>
#include <pthread.h>
#include <pty.h>
#include <pwd.h>
#include <regex.h>
#include <resolv.h>
#include <sched.h>
#include <search.h>
#include <semaphore.h>
#include <shadow.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/fanotify.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/sysinfo.h>
#include <sys/times.h>
#include <sys/timex.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <syslog.h>
#include <time.h>
#include <unistd.h>
#include <utmp.h>
#include <utmpx.h>
#include <wchar.h>
#include <wordexp.h>
#define UNSEEN __attribute__((noinline, disable_sanitizer_instrumentation))
#define obstack_chunk_alloc malloc
#define obstack_chunk_free free
volatile long sink;
struct obstack stack;
double real;
char *zero, host[99], bytes[99];
struct tm a_time = {.tm_mday = 1, .tm_year = 100};
FILE *null, *zeros, *status;
int fd, zero_fd, pair[2];
UNSEEN static void fill(char *to, const void *from, size_t n) {
  for (size_t i = 0; i < n; i++)
    ((volatile char *)to)[i] = ((const volatile char *)from)[i];
}
UNSEEN static int by_byte(const void *a, const void *b) {
  return *(const char *)a - *(const char *)b;
}
UNSEEN static int by_byte_too(const void *a, const void *b, void *unused) {
  (void)unused;
  return by_byte(a, b);
}
static int walked(const char *path, const struct stat *about, int kind) {
  return !path + !about + !kind * 0;
}
static int walked_too(const char *path, const struct stat *about, int kind,
                      struct FTW *where) {
  return walked(path, about, kind) + !where;
}
static long __isoc23_strtol_or_not(const char *s, char **end) {
  return strtol(s, end, 10);
}
int __isoc99_sscanf(const char *s, const char *format, ...);
static void *just_return(void *nothing) { return nothing; }
static void nothing(void) {}
static int getdents_size(void) {
  char x[300];
  int d = open("/dev", O_RDONLY), n = (int)getdents64(d, x, sizeof x);
  return close(d), n;
}
"""

MAIN = r"""
int main(void) {
  null = fopen("/dev/null", "w");
  zeros = fopen("/dev/zero", "r");
  status = fopen("/proc/self/status", "r");
  fd = open("/dev/null", O_WRONLY);
  zero_fd = open("/dev/zero", O_RDONLY);
  obstack_init(&stack);
  socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
  (void)by_byte_too, (void)just_return, (void)walked_too, (void)__isoc23_strtol_or_not;
  (void)fd, (void)by_byte, (void)nothing;
"""


def main():
    lines = [re.split(r"(?<!\\)\|", x) for x in TABLE.strip().splitlines()]
    out = [HEAD]
    calls, expected = [], []
    for i, (name, text, code, counts) in enumerate(lines):
        size = 7000 + i
        name, text, code = name.strip(), text.strip(), code.replace("\\|", "|")
        fill = ""
        if text:
            wide = text.startswith("w:")
            literal = ('L"%s"' % text[2:]) if wide else '"%s"' % text
            fill = "fill(s, %s, sizeof %s);" % (literal, literal)
        out.append("__attribute__((noinline)) static void t_%s(char *s) "
                   "{ %s %s; }" % (name, fill, code))
        reads, writes, lo, hi = re.match(
            r"\s*(\d+) (\d+) (\d+) (.*)", counts).groups()
        calls.append('  { char *p = malloc(%d); t_%s(p + 16); '
                     '__asm__ volatile("" : : "r"(p) : "memory"); free(p); '
                     'dprintf(facts, "// EXPECT: (\'%s\', chunk(size=%d).reads,'
                     " chunk(size=%d).writes, chunk(size=%d).lo,"
                     " chunk(size=%d).hi) == ('%s', %s, %s, %%d, %%d)\\n\","
                     ' %s, (int)(%s)); }'
                     % (size, name, name, size, size, size, size, name, reads,
                        writes, "16" if hi.strip() != "0" else "0",
                        "16 + " + hi if hi.strip() != "0" else "0"))
    out.append(MAIN)
    out.append("  gethostname(host, sizeof host);")
    out.append('  int facts = open(getenv("FACTS"), O_WRONLY | O_CREAT | '
               'O_TRUNC, 0600);')
    out += calls
    out.append("  return 0;\n}")
    with open(sys.argv[1], "w") as file:
        file.write("\n".join(out) + "\n")


main()
