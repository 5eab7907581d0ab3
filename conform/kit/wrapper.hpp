
/* ------------------------------------------------------------------------ */
/* C++17: a core is anything that can be called; an exception refuses.       */

#include <cstring>
#include <exception>
#include <stdexcept>
#include <string>

namespace picaproof {

/* Thrown by a core to end a request with a status of its choice. */
class Refusal : public std::runtime_error {
public:
    Refusal(pp_status status, const std::string &why) : std::runtime_error(why), status(status) {}
    const pp_status status;
};

/* Serves the protocol with a function object that is called as f(job, vertex) for
 * every vertex. What else it throws is answered as an exception. The other fields
 * of core say what the core is. */
template <class F>
int serve(pp_core core, F &&f, FILE *in = stdin, FILE *out = stdout)
{
    auto call = [&f](const pp_job &job, pp_vertex &v) { f(job, v); };
    core.user = &call;
    core.run = [](void *user, const pp_job *job, pp_vertex *v) -> pp_status {
        try {
            (*static_cast<decltype(call) *>(user))(*job, *v);
            return PP_OK;
        } catch (const Refusal &r) {
            pp_message(r.what());
            return r.status;
        } catch (const std::exception &e) {
            pp_message(e.what());
        } catch (...) {
            pp_message("an exception of unknown type");
        }
        return PP_EXCEPTION;
    };
    return pp_serve(&core, in, out);
}

} // namespace picaproof
